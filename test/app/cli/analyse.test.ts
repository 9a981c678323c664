import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { exportDataset } from "../../../src/desk/dataset/export_dataset.ts";
import { saveTables } from "../../../src/desk/dataset/part/save_tables.ts";
import { gappyMarket } from "../../desk/dataset/part/_markets.ts";
import { runMain } from "./_run_main.ts";

const market = gappyMarket(9, 290);
const LONG_MS = 900_000;

let home: string;
let dataset: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-analyse-"));
  dataset = join(home, "dataset");
  await exportDataset(market.scores, dataset, { factor: "mine" });
  await exportDataset(market.prices, dataset);
});
afterAll(() => rm(home, { recursive: true }));

const run = (...args: string[]) => runMain("analyse", ...args);

async function analyse(name: string, ...more: string[]): Promise<readonly string[]> {
  const { out: listed } = await run(dataset, "--factor", "mine", "--list", "--by", "quarter");
  const paths = [];
  for (const partition of listed.split("\n")) {
    const out = join(home, name, `${partition}.parquet`);
    const asked = ["--factor", "mine", "--partition", partition, "--out", out, ...more];
    expect(await run(dataset, ...asked)).toMatchObject({ code: 0, error: "" });
    paths.push(out);
  }
  return paths;
}

describe("analyse", () => {
  test("merges parts to tables with the bytes of those in memory", async () => {
    const options = join(home, "options.json");
    const asked = { periods: [1, 5], lags: [1, 2], returns: { entryLag: 1 } };
    await writeFile(options, JSON.stringify(asked));
    const groups = join(home, "groups.csv");
    market.groups.writeCSV(groups);
    const paths = await analyse("parts", "--options", options, "--groups", groups);
    const [merged, whole] = [join(home, "merged"), join(home, "whole")];
    const { code, out } = await run("--merge", ...paths, "--out", merged);
    expect(code).toBe(0);
    const scores = market.scores;
    const analysis = await analyzeFactor(scores, market.prices, {
      ...asked,
      groups: market.groups,
      placebo: false,
      progress: false,
    });
    const names = await saveTables(analysis, whole);
    expect(await readdir(merged).then((found) => found.toSorted())).toEqual(names);
    for (const name of names.filter((name) => name.endsWith(".parquet"))) {
      const [ours, theirs] = await Promise.all(
        [merged, whole].map((path) => readFile(join(path, name))),
      );
      expect(ours!.equals(theirs!), name).toBe(true);
    }
    expect(out).toContain("mine");
    expect(names).toContain("summary.parquet");
  }, LONG_MS);

  test("prefers flags to the file of options", async () => {
    const options = join(home, "more.json");
    await writeFile(options, JSON.stringify({ between: "cash", lags: [1, 2], periods: [1, 21] }));
    const flags = ["--rebalance", "monthly", "--between", "restore", "--periods", "1,5"];
    const more = [
      "--weighting",
      "rank",
      "--quantiles",
      "3",
      "--min-names",
      "4",
      "--entry",
      "same",
      "--calendar",
      "own",
    ];
    const paths = await analyse("flags", "--options", options, ...flags, ...more);
    const { code, out } = await run("--merge", ...paths);
    expect(code).toBe(0);
    const analysis = await analyzeFactor(market.scores, market.prices, {
      rebalance: "monthly",
      between: "restore",
      weighting: "rank",
      periods: [1, 5],
      lags: [1, 2],
      quantiles: 3,
      minNames: 4,
      entry: "same",
      calendar: "own",
      placebo: false,
      progress: false,
    });
    const [said, inMemory] = [out, judgement(analysis).text].map((text) =>
      text.split("\n").slice(1).join(" ").replace(/\s+/g, " ").trim()
    ) as [string, string];
    expect(said).toMatch(/ \d+ closes follow /);
    expect(said).toBe(inMemory);
    expect(said).toMatch(/ rebalanced [^.]* each month/);
    expect(said).toMatch(/ every session/);
  }, LONG_MS);

  test.each([
    [
      ["--rebalance", "quarterly"],
      'expected rebalance to be a whole number of sessions, at least 1, "signal"',
    ],
    [
      ["--rebalance", "0"],
      "expected rebalance to be a whole number of sessions, at least 1,",
    ],
    [["--rebalance", "2026-01-02,2026-02-30"], 'dates such as ["2026-01-02"]'],
    [["--weighting", "value"], 'expected weighting to be one of "factor", "rank"'],
    [["--between", "hold"], 'expected between to be "drift" or "restore" or "cash", got "hold"'],
    [["--periods", "1;5"], 'expected --periods to be whole numbers such as 1,5,21, got "1;5"'],
    [["--periods", "1,5.5"], "periods to be whole numbers of sessions, at least 1"],
    [["--quantiles", "many"], 'expected --quantiles to be a whole number, got "many"'],
    [["--min-names", "1"], "minNames"],
    [["--entry", "now"], "now"],
    [["--max-age-sessions=-1"], "maxAgeSessions"],
    [["--calendar", "xnys"], 'expected calendar to be "us" or "own", got "xnys"'],
    [["--between"], "--between"],
    [["--rebalanced", "weekly"], "did you mean --rebalance?"],
  ])("refuses the question %j", async (flags, message) => {
    const asked = [
      "--factor",
      "mine",
      "--partition",
      "year=2026",
      "--out",
      join(home, "no.parquet"),
    ];
    const { code, error } = await run(dataset, ...asked, ...flags);
    expect([code, error.includes(message) ? message : error]).toEqual([2, message]);
  });

  test("refuses a question to a merge, which takes that of its parts", async () => {
    const { code, error } = await run(
      "--merge",
      "x.parquet",
      "--rebalance",
      "weekly",
      "--groups",
      "g",
    );
    expect([code, error]).toEqual([
      2,
      expect.stringContaining(
        "Cannot merge parts: expected only --out and --trial-log, got --rebalance, --groups; a merge takes the options of its parts",
      ),
    ]);
  });

  test("analyses the state that --state names, although the dataset has grown since", async () => {
    const grown = join(home, "grown");
    await exportDataset(market.prices, grown);
    await exportDataset(market.scores, grown, { factor: "mine" });
    await exportDataset(market.scores, grown, { factor: "later" });
    const listed = await run(grown, "--factor", "later", "--list", "--state", "2");
    expect(listed.error).toContain("(mine)");
    expect((await run(grown, "--factor", "mine", "--list", "--state", "2")).code).toBe(0);
    expect((await run(grown, "--factor", "mine", "--list", "--state", "x")).error)
      .toContain("expected --state to be the number of a state, got x");
    expect((await run(grown, "--factor", "mine", "--list", "--state", "9")).error)
      .toContain("expected the state 9, got none; the newest is 3");
  });

  test("says what it wrote, and what was finished already", async () => {
    const out = join(home, "one.parquet");
    const asked = [dataset, "--factor", "mine", "--partition", "year=2026", "--out", out];
    expect((await run(...asked)).out).toBe(`${out} written`);
    expect((await run(...asked)).out).toBe(`${out} was finished already`);
  });

  test("names a part that is missing or was cut off, and writes nothing", async () => {
    const paths = await analyse("bad");
    const merged = join(home, "never");
    const missing = await run("--merge", ...paths.slice(1), "--out", merged);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.error).toContain("2026-01-05 to 2026-03-31");
    await truncate(paths[2]!, 64);
    const cut = await run("--merge", ...paths, "--out", merged);
    expect(cut).toMatchObject({ code: 1 });
    expect(cut.error).toContain(paths[2]!);
    await expect(readdir(merged)).rejects.toThrow();
  }, LONG_MS);

  test.each([
    [["--partition", "year=2026"], "got no --out"],
    [["--partition", "2026", "--out", "x.parquet"], "expected year=2024"],
    [["--list", "--by", "week"], '"year" or "quarter" or "month"'],
  ])("refuses %j", async (args, message) => {
    const { code, error } = await run(dataset, "--factor", "mine", ...args);
    expect([code, error.includes(message) ? message : error]).toEqual([2, message]);
  });

  test("shows its help, and refuses a command line without a dataset", async () => {
    expect((await run("--help")).out).toContain("usage: deno task scoreframe analyse DATASET");
    expect(await run("--factor", "mine", "--list")).toMatchObject({ code: 2 });
    expect(await run(dataset, "--list")).toMatchObject({ code: 2 });
    expect(await run("--merge")).toMatchObject({ code: 2 });
  });
});
