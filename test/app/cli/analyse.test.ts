import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { backtestOverfitting } from "../../../src/analysis/selection/backtest_overfitting.ts";
import { bestOf } from "../../../src/analysis/selection/best_of.ts";
import { performance } from "../../../src/analysis/series/performance/performance.ts";
import { trialLog } from "../../../src/analysis/trial_log.ts";
import { saveTables } from "../../../src/desk/dataset/save_tables.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { gappyMarket } from "../../desk/dataset/_markets.ts";
import { runMain } from "./_run_main.ts";

const OPTIONS = [
  { periods: [1] },
  { periods: [1], returns: { entryLag: 2 } },
  { periods: [1], quantiles: 3 },
] as const;

let home: string;
let scores: string;
let prices: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-analyse-"));
  [scores, prices] = [join(home, "scores.parquet"), join(home, "closes.csv")];
  const market = gappyMarket(9, 300, 14);
  market.scores.writeParquet(scores);
  market.prices.writeCSV(prices);
});
afterAll(() => rm(home, { recursive: true }));

async function analyse(name: string, options: object, ...more: string[]) {
  const file = join(home, `${name}.json`);
  await writeFile(file, JSON.stringify(options));
  const to = join(home, "out", name);
  const asked = ["--scores", scores, "--prices", prices, "--options", file, "--to", to];
  return { to, ...await runMain("analyse", ...asked, ...more) };
}

const rowOf = async (folder: string) =>
  pl.readParquet(await readFile(join(folder, "variant.parquet"))).toRecords()[0]!;

describe("analyse", () => {
  test("writes the bytes of an analysis in memory, and a row with the options", async () => {
    const { to, code, out } = await analyse("late", OPTIONS[1]);
    expect([code, out]).toEqual([0, `${to} finished`]);
    const expected = join(home, "expected");
    const frames = [pl.readParquet(await readFile(scores)), await readPrices(prices)] as const;
    const asked = { ...OPTIONS[1], progress: false, trialLog: trialLog() };
    const names = await saveTables(await analyzeFactor(...frames, asked), expected);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names.filter((one) => one.endsWith(".parquet"))) {
      const [theirs, ours] = await Promise.all(
        [expected, to].map((folder) => readFile(join(folder, name))),
      );
      expect(ours!.equals(theirs!), name).toBe(true);
    }
    const row = await rowOf(to);
    expect(row).toMatchObject({
      ...{ variant: "late", status: "finished", error: null },
      ...{ periods: "[1]", "returns.entryLag": "2", trials: trialLog(to).count },
    });
    expect(row["trials"]).toBe(asked.trialLog.count);
  });

  test("keeps a finished result, and refuses its folder to another variant", async () => {
    const first = await analyse("kept", OPTIONS[0]);
    const again = await analyse("kept", OPTIONS[0]);
    expect([first.code, again.out]).toEqual([0, `${again.to} was finished already`]);
    const other = await analyse("kept", OPTIONS[2]);
    expect([other.code, other.error]).toEqual([1, expect.stringContaining("another one's result")]);
  });

  test("tells variants apart by their groups", async () => {
    const groups = async (group: string) => {
      const path = join(home, `${group}.csv`);
      const rows = Array.from(
        { length: 14 },
        (_, i) => `T${String(i).padStart(2, "0")},${group}${i % 2}`,
      );
      await writeFile(path, `ticker,group\n${rows.join("\n")}\n`);
      return ["--groups", path] as const;
    };
    const first = await analyse("grouped", OPTIONS[0], ...await groups("a"));
    expect(first.code).toBe(0);
    expect((await rowOf(first.to))["groups"]).toMatch(/^[0-9a-f]{64}$/);
    const other = await analyse("grouped", OPTIONS[0], ...await groups("b"));
    expect([other.code, other.error]).toEqual([1, expect.stringContaining("another one's result")]);
  });

  test("gives a failed variant its row with the reason, and computes it again", async () => {
    const { to, code, error } = await analyse("failed", { periods: [1], entry: "never" });
    expect([code, error]).toEqual([1, expect.stringContaining("entry")]);
    expect(await readdir(to)).toEqual(["variant.json", "variant.parquet"]);
    const row = await rowOf(to);
    expect([row["status"], row["entry"]]).toEqual(["failed", "never"]);
    expect(row["error"]).toContain("entry");
    expect((await analyse("failed", { periods: [1], entry: "never" })).out).toBe(`${to} failed`);
  });

  test("collects rows and the exact union of the trial logs, with the numbers of one process", async () => {
    const made = [];
    for (const [i, options] of OPTIONS.entries()) made.push(await analyse(`v${i}`, options));
    const folders = made.map(({ to }) => to);
    const all = join(home, "all");
    const { code, out } = await runMain("analyse", "--collect", ...folders, "--to", all);
    expect([code, out]).toEqual([0, expect.stringContaining("The trial log has ")]);
    const table = pl.readParquet(await readFile(join(all, "variants.parquet")));
    expect(table.getColumn("variant").toArray()).toEqual(["v0", "v1", "v2"]);
    expect(table.getColumn("returns.entryLag").toArray()).toEqual([null, "2", null]);

    const one = trialLog();
    const frames = [pl.readParquet(await readFile(scores)), await readPrices(prices)] as const;
    const alone = [];
    for (const options of OPTIONS) {
      alone.push(await analyzeFactor(...frames, { ...options, progress: false, trialLog: one }));
    }
    expect(trialLog(all).count).toBe(one.count);
    const read = (name: string) =>
      Promise.all(
        folders.map(async (to) => pl.readParquet(await readFile(join(to, `${name}.parquet`)))),
      );
    const named = <T>(frames: readonly T[]) =>
      Object.fromEntries(frames.map((frame, i) => [`v${i}`, frame]));
    const [ours, theirs] = [await read("ic"), alone.map(({ ic }) => ic)].map((ics) =>
      bestOf(named(ics)).table.select("mean", "p", "p_adjusted").toRecords()
    );
    expect(ours).toEqual(theirs);
    const books = [await read("portfolio"), alone.map(({ portfolio }) => portfolio)];
    const [mine, its] = books.map((some) =>
      backtestOverfitting(named(some), { value: "return" }).table.toRecords()
    );
    expect(mine).toEqual(its);
    const [deflated, expected] = books.map((some, i) =>
      some.map((book) => {
        const variants = (i === 0 ? trialLog(all) : one).count;
        return performance(book, { variants }).getColumn("deflated_sharpe").get(0);
      })
    );
    expect(deflated).toEqual(expected);
    expect(deflated).toEqual(deflated!.filter((value) => value > 0 && value < 1));
  });

  test("names a test that was removed from a trial log, in each of twenty places", async () => {
    const { to } = await analyse("whole", OPTIONS[0]);
    const file = join(to, "trial_log.jsonl");
    const lines = (await readFile(file, "utf8")).trim().split("\n");
    for (let i = 0; i < 20; i++) {
      const number = 1 + i % lines.length;
      const folder = join(home, `cut${i}`);
      await cp(to, folder, { recursive: true });
      const kept = lines.filter((_, at) => at !== number - 1);
      await writeFile(join(folder, "trial_log.jsonl"), kept.map((line) => `${line}\n`).join(""));
      const { code, error } = await runMain("analyse", "--collect", folder, "--to", `${home}/none`);
      expect(code).toBe(1);
      expect(error).toContain(
        number === lines.length
          ? `ends at ${number - 1}:`
          : `Test ${number} is missing from the trial log.`,
      );
    }
  });

  test.each([
    [["--scores", "x", "--prices", "y"], "expected --to, a folder for the result"],
    [["--to", "x", "--prices", "y"], "expected --scores, a file with date, ticker and scores"],
    [["--collect", "--to", "x"], "expected the folders of their results, got none"],
    [["data", "--to", "x"], "expected options only"],
  ])("refuses %j", async (words, message) => {
    const { code, error } = await runMain("analyse", ...words);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  test("names a folder without a result", async () => {
    const { code, error } = await runMain("analyse", "--collect", home, "--to", join(home, "no"));
    expect([code, error]).toEqual([1, expect.stringContaining("expected the result of a variant")]);
  });
});
