import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Check } from "../../src/contract/check.ts";
import { verifyStore } from "../../src/store/verify_store.ts";
import { buildWorld, openWorld, type World } from "../../src/world/mod.ts";

const TINY = { tickers: 24, years: 0.25, hours: 60 };
const AWKWARD = ["NA", "TRUE", "FALSE", "NAN", "NULL", "INF", "E", "1E5", "0012", "-"];
const FACTORS = ["ecpnd", "ecqdi"] as const;

const folders: string[] = [];
let world: World;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-world-"));
  folders.push(folder);
  return folder;
}

async function digestsOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests: Record<string, string> = {};
  for (const entry of names.filter((name) => name.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const hash = createHash("sha256").update(await readFile(path)).digest("hex");
    digests[path.slice(folder.length + 1)] = hash;
  }
  return digests;
}

async function checksOf(from: World, factor: "ecpnd" | "ecqdi"): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name } of await from.store.listChecks(factor)) {
    checks.push((await from.store.readCheck(factor, name))!.check);
  }
  return checks;
}

async function releaseOf(from: World, factor: "ecpnd" | "ecqdi") {
  const [stored] = await from.store.listReleases(factor);
  const csv = gunzipSync(await readFile(stored!.path)).toString("latin1");
  return { stored: stored!, csv, lines: csv.trimEnd().split("\n") };
}

beforeAll(async () => {
  world = await buildWorld(await newFolder());
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe("a world", () => {
  test("is the same to the byte for the same seed, and another one for another seed", async () => {
    const [one, two, other] = [await newFolder(), await newFolder(), await newFolder()];
    await buildWorld(one, TINY);
    await buildWorld(two, TINY);
    await buildWorld(other, { ...TINY, seed: 8 });
    const digests = await digestsOf(one);
    expect(Object.keys(digests).length).toBeGreaterThan(100);
    expect(await digestsOf(two)).toEqual(digests);
    expect((await digestsOf(other))["closes.csv"]).not.toBe(digests["closes.csv"]);
  });

  test("has other numbers for another version of a factor, and the same for the other factor", async () => {
    const one = await buildWorld(await newFolder(), TINY);
    const two = await buildWorld(await newFolder(), {
      ...TINY,
      factorVersions: { ecqdi: "ecqdi-v2" },
    });
    const digest = async (of: World, factor: "ecpnd" | "ecqdi") =>
      (await releaseOf(of, factor)).stored.release.downloadSha256;
    expect(await digest(two, "ecqdi")).not.toBe(await digest(one, "ecqdi"));
    expect(await digest(two, "ecpnd")).toBe(await digest(one, "ecpnd"));
    expect((await releaseOf(two, "ecqdi")).stored.release.factorVersion).toBe("ecqdi-v2");
    expect((await checksOf(two, "ecqdi")).at(-1)!.factorVersion).toBe("ecqdi-v2");
  });

  test("is a sound store that says that it is synthetic", async () => {
    const report = await verifyStore(world.store);
    expect(report.problems).toEqual([]);
    expect(report.leftovers).toEqual([]);
    expect(report.releases).toBe(2);
    expect(world.store.info).toMatchObject({
      kind: "world",
      synthetic: true,
      complete: { through: "2026-11-20T15:59:59.999Z" },
      origin: { seed: 7, tickers: 60, years: 2, hours: 240, end: "2026-11-20T15:00:00.000Z" },
    });
    for (const factor of FACTORS) {
      for (const check of await checksOf(world, factor)) {
        expect(check.extra).toEqual({ synthetic: true });
        expect(check.universe).toContain("synthetic");
      }
      const { stored } = await releaseOf(world, factor);
      expect(stored.release.extra.synthetic).toBe(true);
      expect(stored.release.universe).toContain("synthetic");
    }
  });

  test("is reused from its folder, and completed there after an interruption", async () => {
    const folder = await newFolder();
    await buildWorld(folder, TINY);
    const digests = await digestsOf(folder);
    await unlink(join(folder, "truth.json"));
    const checks = await readdir(join(folder, "ecqdi", "checks"));
    await unlink(join(folder, "ecqdi", "checks", checks[20]!));
    await buildWorld(folder, TINY);
    expect(await digestsOf(folder)).toEqual(digests);
    const opened = await openWorld(folder);
    expect(opened.parameters).toMatchObject({ seed: 7, tickers: 24, years: 0.25, hours: 60 });
    await expect(buildWorld(folder, { ...TINY, seed: 9 })).rejects.toThrow(
      /the folder must be empty or hold \{"seed":9.*it holds \{"seed":7/,
    );
  });

  // Notebooks show its numbers, and whoever runs them must get the same ones.
  test("by default is this one", async () => {
    const digests = [];
    for (const factor of FACTORS) {
      digests.push((await releaseOf(world, factor)).stored.release.downloadSha256.slice(0, 16));
      digests.push((await checksOf(world, factor)).at(-1)!.snapshotId);
    }
    expect(digests).toEqual([
      "58080ada3a7add81",
      "370760d0-d173-8211-a715-de236542dcc0",
      "b0006b86dda649fb",
      "a664ae7c-27aa-85de-a8e5-b758b5d05d0d",
    ]);
  });

  test("comes out whole when two build it at once", async () => {
    const [one, both] = [await newFolder(), await newFolder()];
    await buildWorld(one, TINY);
    await Promise.all([buildWorld(both, TINY), buildWorld(both, TINY)]);
    expect(await digestsOf(both)).toEqual(await digestsOf(one));
  });

  test("leaves nothing half-written when it cannot be finished", async () => {
    const folder = await newFolder();
    const { store } = await buildWorld(folder, TINY);
    await unlink(join(folder, "truth.json"));
    await unlink(join(folder, "closes.csv"));
    await mkdir(join(folder, "closes.csv", "in the way"), { recursive: true });
    await expect(buildWorld(folder, TINY)).rejects.toThrow();
    expect((await verifyStore(store)).leftovers).toEqual([]);
    await expect(openWorld(folder)).rejects.toThrow("interrupted");
  });

  test("is not built among other files", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "closes.csv"), "mine");
    await expect(buildWorld(folder, TINY)).rejects.toThrow("it holds closes.csv");
    expect(await readFile(join(folder, "closes.csv"), "utf8")).toBe("mine");
  });

  test("has the same rows when a large release is compressed on its own thread", async () => {
    const large = await buildWorld(await newFolder(), { tickers: 4_100, years: 1, hours: 1 });
    for (const factor of FACTORS) {
      const { stored: { release }, csv, lines } = await releaseOf(large, factor);
      expect(release.rows).toBeGreaterThan(1_000_000);
      expect(lines.length).toBe(release.rows! + 1);
      expect(createHash("sha256").update(csv).digest("hex")).toBe(release.sourceSha256);
    }
    expect((await verifyStore(large.store)).problems).toEqual([]);
  });

  test("is not opened while it is unfinished", async () => {
    const folder = await newFolder();
    await buildWorld(folder, TINY);
    await unlink(join(folder, "truth.json"));
    await expect(openWorld(folder)).rejects.toThrow("the folder holds an interrupted one");
  });

  test.each([
    [{ tickers: 0 }, "tickers must be a whole number from 1 to 20000, got 0"],
    [{ seed: -1 }, "seed must be"],
    [{ seed: 1.5 }, "seed must be a whole number"],
    [{ hours: NaN }, "hours must be"],
    [{ years: 30, end: "2020-01-01T00:00:00Z" }, "a history that begins after 1992"],
    [{ factorVersions: { ecpnd: "v1" } }, "a version of the form ecpnd-v<n> is required"],
    [{ end: "2026-11-20" }, "RFC 3339"],
  ])("refuses the options %j", async (options, message) => {
    await expect(buildWorld(await newFolder(), options)).rejects.toThrow(message);
  });

  test("can be as small as one ticker and one check", async () => {
    const one = await buildWorld(await newFolder(), { tickers: 1, years: 0.25, hours: 1 });
    expect(await checksOf(one, "ecpnd")).toHaveLength(1);
    expect((await verifyStore(one.store)).problems).toEqual([]);
  });
});

describe("the checks of a world", () => {
  test.each(FACTORS)(
    "of %s record every status, complete on full hours and miss some",
    async (factor) => {
      const checks = await checksOf(world, factor);
      const statuses = new Set(checks.map((check) => check.status));
      expect([...statuses].sort()).toEqual([
        "call_source_delayed",
        "call_updates_pending",
        "current",
        "partial_market_data",
      ]);
      expect(checks.length).toBeLessThan(240);
      expect(checks.length).toBeGreaterThan(225);
      for (const check of checks) expect(check.lastCheckedAt).toMatch(/T\d\d:00:00\.000Z$/);
      expect(checks[0]!.calculatedAt).toBe(checks[0]!.lastCheckedAt);
      expect(checks.at(-1)!.lastCheckedAt).toBe("2026-11-20T15:00:00.000Z");
    },
  );

  test.each(FACTORS)("of %s mostly reuse the set, and publish some", async (factor) => {
    const checks = await checksOf(world, factor);
    const ids = new Set(checks.map((check) => check.snapshotId));
    expect(ids.size).toBeGreaterThan(5);
    expect(ids.size).toBeLessThan(checks.length / 2);
  });

  test("have coverage that agrees with status and rows", async () => {
    for (const check of await checksOf(world, "ecqdi")) {
      const { coverage, status } = check;
      const set = (await world.store.readSet("ecqdi", check.snapshotId))!;
      expect(coverage.tickers).toBe(set.rows.tickers.length);
      expect(coverage.scoredTickers).toBe(set.rows.scores.filter((score) => score !== null).length);
      const waiting = coverage.pendingCalls + coverage.failedCalls + coverage.pendingFactorCalls!;
      const isPartial = coverage.priceTickersCurrent! < coverage.priceTickersTracked!;
      if (status === "current") expect([waiting, isPartial]).toEqual([0, false]);
      if (status === "call_updates_pending") expect(waiting).toBeGreaterThan(0);
      expect(check.dataThrough < check.lastCheckedAt).toBe(true);
      if (status === "call_source_delayed") continue;
      expect(Date.parse(check.lastCheckedAt) - Date.parse(check.dataThrough)).toBeLessThan(300_000);
    }
  });

  test("hold the cutoff back while sources are delayed", async () => {
    const checks = await checksOf(world, "ecpnd");
    const delayed = checks.filter((check) => check.status === "call_source_delayed");
    const ages = delayed.map((c) => Date.parse(c.lastCheckedAt) - Date.parse(c.dataThrough));
    expect(Math.max(...ages)).toBeGreaterThan(75 * 60_000);
  });

  test("name the latest session whose prices are stored", async () => {
    const checks = await checksOf(world, "ecpnd");
    const at = (time: string) => checks.find((check) => check.lastCheckedAt === time)!;
    expect(at("2026-11-20T15:00:00.000Z").pricesThrough).toBe("2026-11-19");
    expect(at("2026-11-19T03:00:00.000Z").pricesThrough).toBe("2026-11-18");
    // The weekend keeps Friday's session.
    expect(at("2026-11-15T12:00:00.000Z").pricesThrough).toBe("2026-11-13");
  });

  test("change the universe by a listing and a delisting", async () => {
    const [first, last] = [0, -1];
    const checks = await checksOf(world, "ecpnd");
    const set = async (index: number) =>
      (await world.store.readSet("ecpnd", checks.at(index)!.snapshotId))!.rows.tickers;
    const [before, after] = [await set(first), await set(last)];
    expect(before.some((ticker) => !after.includes(ticker))).toBe(true);
    expect(after.some((ticker) => !before.includes(ticker))).toBe(true);
  });
});

describe("extending a world", () => {
  test("completes later hours exactly as the world's source says, and is cheap to repeat", async () => {
    const short = await buildWorld(await newFolder(), { ...TINY, end: "2026-11-19T15:00:00Z" });
    const added = await short.extend("2026-11-20T15:59:00Z");
    expect(added).toBeGreaterThan(40);
    expect(await short.extend("2026-11-20T15:59:00Z")).toBe(0);
    expect((await verifyStore(short.store)).problems).toEqual([]);
    const again = await openWorld(short.store.path);
    for (const check of (await checksOf(short, "ecqdi")).reverse()) {
      const input = (await again.source("ecqdi", check.lastCheckedAt))!;
      const set = (await again.store.readSet("ecqdi", check.snapshotId))!;
      expect(input.rows).toEqual(set.rows);
      expect(input.dataThrough).toBe(check.dataThrough);
      expect(input.pendingCalls).toBe(check.coverage.pendingCalls);
      expect(input.pendingFactorCalls).toBe(check.coverage.pendingFactorCalls);
    }
  });

  test("refuses a time between hours, and has nothing before the first check", async () => {
    await expect(async () => await world.source("ecpnd", "2026-11-20T15:30:00.000Z")).rejects
      .toThrow("full hours");
    expect(await world.source("ecpnd", "2026-11-01T00:00:00.000Z")).toBeNull();
  });
});

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
