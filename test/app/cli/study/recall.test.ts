import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pl from "nodejs-polars";
import { beforeEach, describe, expect, test } from "vitest";
import { runStudy } from "../../../../src/app/cli/study/run_study.ts";
import { registeredNumbers } from "../../../../src/analysis/factor/scores_origin.ts";
import {
  openTemporaryFolder,
  type TemporaryFolder,
} from "../../../../src/base/disk/temporary_folder.ts";
import { sha256Hex } from "../../../../src/base/store/layout.ts";
import { readLockFile } from "../../../../src/study/lock/lock_file.ts";

// Recorded by the first complete state of version 0.1.0.
const RECORDED = join(
  import.meta.dirname!,
  "..",
  "..",
  "..",
  "study",
  "recall",
  "recorded_in_0_1_0",
);
const SET = "c33f546a-6455-87cf-a52a-097f4bd8bb6c";

let place: TemporaryFolder;
let root: string;

beforeEach(async () => {
  place = await openTemporaryFolder("recall-test");
  root = join(place.path, "research");
  await cp(RECORDED, join(root, "weekly"), { recursive: true });
  return () => place.remove();
});

async function recall(...args: readonly string[]) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const environment = { XDG_CACHE_HOME: join(place.path, "cache") };
  const code = await runStudy(["recall", root, ...args], { out: write, error: write }, {
    connection: { environment },
    confirm: () => false,
  });
  return { code, text: lines.join("\n") };
}

describe("study recall", () => {
  test("names each known fault that a study recorded before it was mended touches, and no other", async () => {
    const { code, text } = await recall();
    expect(code).toBe(1);
    expect([...text.matchAll(/stands on ([\w-]+):/g)].map(([, name]) => name).toSorted()).toEqual([
      "adjusted-close-adjusted-again",
      "equal-scores-traded",
      "restated-date-in-force",
      "returns-dated-by-their-beginning",
      "ticker-returns-after-a-gap",
      "universe-without-a-price",
    ]);
  });

  test("says what a study holds, how it stands on a set, and what is not told", async () => {
    await writeFile(
      join(root, "weekly", "trial_log.jsonl"),
      '{"what":"mean IC"}\n{"what":"spread"}\n',
    );
    const { text } = await recall("--set", SET.slice(0, 8));
    expect(text).toContain("1 of 1 study stands on set c33f546a");
    expect(text).toContain("history + 1 set; 1 notebook; trial log of 2 trials; ecpnd, published");
    expect(text).toContain("exports not told; verification not told");
  });

  test("answers 0 where no study stands on it", async () => {
    expect(await recall("--library", ">=0.2.0")).toMatchObject({ code: 0 });
    expect(await recall("--uses", "permutationTest")).toMatchObject({ code: 0 });
    expect(await recall("--release", "00000000")).toMatchObject({ code: 0 });
  });

  test("lists the recorded numbers before and after a corrected file of prices", async () => {
    const lines = (await readFile(join(root, "weekly", "prices.csv"), "utf8")).split("\n");
    const corrected = lines.map((line, i) =>
      i > 2000 && i % 7 === 0 ? line.replace(/,[\d.]+$/, ",101.5") : line
    );
    const path = join(place.path, "prices.csv");
    await writeFile(path, corrected.join("\n"));
    const before = await readFile(join(root, "weekly", "study.lock.json"), "utf8");
    const { text } = await recall("--input", path, "--replay", "--json");
    const [{ recalled, replayed }] = JSON.parse(text);
    expect(recalled).toHaveLength(1);
    expect(await readFile(join(root, "weekly", "study.lock.json"), "utf8")).toBe(before);
    const numbers = replayed[0].numbers as {
      before: object;
      after: { meanIc: number };
      isChanged: boolean;
    }[];
    expect(numbers.map(({ isChanged }) => isChanged)).toEqual([false, true]);
    // From the files themselves.
    const store = join(root, "weekly", "store", "ecpnd", "releases");
    const [sha] = await readdir(store);
    const rows = gunzipSync(await readFile(join(store, sha!, "history.csv.gz"))).toString();
    const scores = pl.readCSV(rows, { tryParseDates: true });
    const prices = pl.readCSV(corrected.join("\n"), { tryParseDates: true });
    const plan = { horizons: [5], universe: null, minNames: 5 };
    const sample = { name: "hold-out", from: "2026-02-02", to: "2026-11-19", pricesBefore: null };
    const [expected] = registeredNumbers(plan, { scores, prices }, sample);
    expect(numbers[1]!.after).toEqual(expected);
  });

  test("finds no number changed by this version of the library", async () => {
    const { text } = await recall("--library", "<0.2.0", "--replay");
    expect(text).toContain(
      "weekly/ 0 of 2 recorded numbers changed; its notebooks were not run: add --run",
    );
  });

  test("recalls rows of prices only where a scored ticker and a session took part", async () => {
    const ask = async (ticker: string, from: string, to: string) =>
      (await recall(
        "--rows",
        join(root, "weekly", "prices.csv"),
        "--ticker",
        ticker,
        "--from",
        from,
        "--to",
        to,
      )).code;
    const tickers = new Set(
      (await readFile(join(root, "weekly", "prices.csv"), "utf8"))
        .split("\n").slice(1).map((line) => line.split(",")[1]!).filter(Boolean),
    );
    const [ticker] = tickers;
    expect(await ask(ticker!, "2026-03-03", "2026-03-03")).toBe(1);
    expect(await ask("NONE", "2026-03-03", "2026-03-03")).toBe(0);
    expect(await ask(ticker!, "2025-10-01", "2025-11-03")).toBe(0);
    expect(await ask(ticker!, "2025-10-01", "2025-11-04")).toBe(1);
    expect(await ask(ticker!, "2027-01-04", "2027-01-29")).toBe(0);
  });

  test("lists damaged, newer, foreign and half-written locks, and goes on", async () => {
    const text = await readFile(join(RECORDED, "study.lock.json"), "utf8");
    const planted = {
      damaged: text.replace(',"factor_version"', '"factor_version"'),
      newer: text.replace('"format": 3', '"format": 9'),
      foreign: '{"lockfileVersion": 3}',
      half: text.slice(0, 500),
      edited: text.replace(/"rows":\d+/, '"rows":1'),
      "bad\u001b[2Jname": "{}",
    };
    for (const [name, lock] of Object.entries(planted)) {
      await mkdir(join(root, name));
      await writeFile(join(root, name, "study.lock.json"), lock);
    }
    const { text: said } = await recall("--library", "<0.2.0");
    expect(said).toContain("of 7 studies stand on library <0.2.0");
    expect(said).toMatch(
      /not sound: damaged\/: Cannot read .*study.lock.json, line 8: expected JSON/,
    );
    expect(said).toMatch(/not sound: newer\/: .*expected 1, 2 or 3, got 9; use a version/);
    expect(said).toMatch(/not sound: foreign\/: .*expected 1, 2 or 3, got nothing/);
    expect(said).toMatch(/not sound: half\/: Cannot read .*line \d+: expected JSON/);
    expect(said).toContain("not sound: edited/: the lock was edited by hand or merged");
    expect(said).not.toContain("\u001b");
  });

  test("tells the exports that a study made, and those of another seal", async () => {
    const { text } = (await readLockFile(join(root, "weekly")))!;
    const mark = (seal: string) =>
      `<!--scoreframe-study:${
        encodeURIComponent(JSON.stringify({
          studies: [{ name: "weekly", seal }],
          scoreframe: "0.1.0",
          calls: { judgement: [{}] },
        }))
      }-->`;
    await writeFile(join(root, "weekly", "sheet.html"), mark("00"));
    await writeFile(join(root, "copy.html"), mark(sha256Hex(text)));
    const said = await recall("--uses", "judgement");
    expect(said.text).toContain("exported: sheet.html (at another seal), copy.html");
  });

  test.each([
    [["--rows", "prices.csv"], "expected --ticker and --from"],
    [["--uses", "portfolioReturn"], "expected a function or method of this library"],
    [["--fault", "none"], "expected a fault of docs/faults.md"],
    [["--library", "old"], "expected a range of versions"],
    [["--set", SET, "--replay"], "expected --with STORE"],
    [["--input", "0d17aea6aed584c3", "--replay"], "give it with --with FILE"],
    [["--input", "nowhere.csv"], "expected a file, or 8 to 64 digits"],
  ])("refuses %j", async (args, said) => {
    const { code, text } = await recall(...args).catch((error) => ({
      code: 2,
      text: String(error),
    }));
    expect(code).toBe(2);
    expect(text).toContain(said);
  });
});
