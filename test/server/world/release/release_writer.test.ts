import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWorld, type World } from "../../../../src/server/world/mod.ts";
import { checksOf, FACTORS, Folders, releaseOf, TEN_DAYS } from "../_worlds.ts";

const AWKWARD = ["NA", "TRUE", "FALSE", "NAN", "NULL", "INF", "E", "1E5", "0012", "-"];

const folders = new Folders();
let world: World;
beforeAll(async () => {
  world = await buildWorld(await folders.add(), TEN_DAYS);
});
afterAll(() => folders.remove());

describe("the release of a world", () => {
  test.each(FACTORS)("of %s agrees with its metadata", async (factor) => {
    const { stored: { release }, csv, lines } = await releaseOf(world, factor);
    expect(lines[0]).toBe(`date,ticker,${factor}_score`);
    expect(csv.endsWith("\n")).toBe(true);
    const rows = lines.slice(1).map((line) => line.split(","));
    const dates = rows.map(([date]) => date!);
    expect(rows.every((row) => row.length === 3)).toBe(true);
    const scored = rows.filter(([, , score]) => score !== "");
    expect(release).toMatchObject({
      factor,
      factorVersion: `${factor}-v1`,
      rows: rows.length,
      scoredRows: scored.length,
      missingRows: rows.length - scored.length,
      sessions: new Set(dates).size,
      tickers: new Set(rows.map(([, ticker]) => ticker)).size,
      firstSession: dates[0],
      lastSession: dates.at(-1),
      windowYears: 2,
      download: `/v1/scores/history.csv.gz?factor=${factor}`,
      sourceSha256: createHash("sha256").update(csv).digest("hex"),
      extra: { synthetic: true, seed: 7 },
    });
    expect(release.rows).not.toBe(release.sessions! * release.tickers!);
    for (const [, , score] of scored) expect(score).toMatch(/^(0|1|0\.\d{1,6})$/);
    for (const [, , score] of scored) expect(String(Number(score))).toBe(score);
  });

  test("has its own window for each factor, before the live sets begin", async () => {
    const windows = [];
    for (const factor of FACTORS) {
      const { release } = (await releaseOf(world, factor)).stored;
      windows.push([release.windowStart, release.windowEnd, release.lastSession]);
      expect(release.lastSession! < (await checksOf(world, factor))[0]!.lastCheckedAt).toBe(true);
    }
    expect(windows).toEqual([
      ["2024-11-01", "2026-10-31", "2026-10-30"],
      ["2024-10-01", "2026-09-30", "2026-09-30"],
    ]);
  });

  test("is served some days after its window, and before the first check", async () => {
    for (const factor of FACTORS) {
      const { stored: { availableFrom, release } } = await releaseOf(world, factor);
      const daysAfter = (Date.parse(availableFrom) - Date.parse(release.windowEnd!)) / 86_400_000;
      expect(daysAfter).toBe(3.5);
      expect(availableFrom < (await checksOf(world, factor))[0]!.lastCheckedAt).toBe(true);
    }
  });

  test("is sorted by date and ticker, with the awkward tickers as they are", async () => {
    const { lines } = await releaseOf(world, "ecpnd");
    const keys = lines.slice(1).map((line) => line.slice(0, line.lastIndexOf(",")));
    expect(keys).toEqual([...keys].sort());
    expect(new Set(keys).size).toBe(keys.length);
    const tickers = new Set(keys.map((key) => key.slice(11)));
    for (const ticker of [...AWKWARD, "BRK.B", "BF-B", "LONGTICKERSYM.WS"]) {
      expect(tickers).toContain(ticker);
    }
    expect(Math.max(...[...tickers].map((ticker) => ticker.length))).toBe(16);
    for (const ticker of tickers) expect(ticker).toMatch(/^[A-Z0-9.\-]{1,16}$/);
  });

  test("carries an ecqdi value for at most 90 calendar days", async () => {
    const { lines } = await releaseOf(world, "ecqdi");
    const since = new Map<string, { score: string; from: number }>();
    let longest = 0;
    for (const line of lines.slice(1)) {
      const [date, ticker, score] = line.split(",") as [string, string, string];
      const day = Date.parse(date) / 86_400_000;
      const known = since.get(ticker);
      if (known?.score !== score) since.set(ticker, { score, from: day });
      else if (score !== "" && score !== "0" && score !== "1") {
        longest = Math.max(longest, day - known.from);
      }
    }
    expect(longest).toBeLessThanOrEqual(90);
    expect(longest).toBeGreaterThan(80);
  });

  test("lets ecpnd change from session to session without a call", async () => {
    const { lines } = await releaseOf(world, "ecpnd");
    const scores = lines.filter((line) => line.split(",")[1] === "BRK.B").map((line) =>
      line.split(",")[2]!
    );
    const changes = scores.filter((score, i) => i > 0 && score !== scores[i - 1]).length;
    expect(changes / scores.length).toBeGreaterThan(0.9);
  });

  test.each(FACTORS)("of %s is what sha256sum, zcat and awk say", async (factor) => {
    const { path, release } = (await releaseOf(world, factor)).stored;
    const run = async (command: string) =>
      (await promisify(execFile)("sh", ["-c", command, "sh", path])).stdout.trim();
    expect(await run('sha256sum < "$1" | cut -d" " -f1')).toBe(release.downloadSha256);
    expect(await run('zcat < "$1" | sha256sum | cut -d" " -f1')).toBe(release.sourceSha256);
    const count = 'NR > 1 { rows++; if ($3 == "") missing++; else if ($3 + 0 > 1) bad++ }';
    const counts = await run(
      `zcat < "$1" | awk -F, '${count} END { print rows, missing, bad + 0 }'`,
    );
    expect(counts).toBe(`${release.rows} ${release.missingRows} 0`);
    const sessions = await run('zcat < "$1" | tail -n +2 | cut -d, -f1 | uniq | wc -l');
    expect(Number(sessions)).toBe(release.sessions);
  });
});
