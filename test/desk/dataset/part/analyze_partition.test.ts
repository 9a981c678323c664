// @heavy: analyses by partition, many times
import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import {
  analyzePartition,
  type AnalyzePartitionOptions,
  exportDataset,
  listPartitions,
  mergePartitions,
} from "../../../../src/desk/dataset/mod.ts";
import { readPart, writePart } from "../../../../src/desk/dataset/part/part_file.ts";
import { IntegrityError } from "../../../../src/base/errors.ts";
import { bitsOf, NOT_IN_PARTS } from "./_in_parts.ts";
import { gappyMarket, toLiveSets } from "./_markets.ts";

const QUICK = { periods: [1, 5], lags: [1, 2, 9] };
const YEARS = ["year=2026", "year=2027"];
const LONG_MS = 60_000;

const market = gappyMarket(4, 300);
const live = toLiveSets(market.scores, 4);

let home: string;
let folder: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-parts-"));
  folder = join(home, "dataset");
  await exportDataset(market.scores, folder, { factor: "mine" });
  await exportDataset(live, folder, { factor: "live" });
  await exportDataset(market.prices, folder);
});
afterAll(() => rm(home, { recursive: true }));

async function partsOf(
  name: string,
  options: Omit<AnalyzePartitionOptions, "partition" | "out">,
  by: "year" | "quarter" | "month" = "year",
): Promise<readonly string[]> {
  const paths = [];
  for (const partition of await listPartitions(folder, { factor: options.factor, by })) {
    const out = join(home, name, `${partition}.parquet`);
    paths.push((await analyzePartition(folder, { ...options, partition, out })).path);
  }
  return paths;
}

async function expectSameBits(
  paths: readonly string[],
  scores: DataFrame,
  options: Parameters<typeof analyzeFactor>[2],
): Promise<void> {
  const quiet = { ...options, placebo: false as const, progress: false };
  const whole = bitsOf(await analyzeFactor(scores, market.prices, quiet));
  const merged = bitsOf(await mergePartitions(paths.toReversed()));
  for (const [name, text] of Object.entries(whole)) {
    if (["origin", "text", ...NOT_IN_PARTS].includes(name)) continue;
    expect(merged[name], name).toBe(text);
  }
}

describe("the partitions of a dataset", () => {
  test("are listed by year, quarter or month, without a gap", async () => {
    expect(await listPartitions(folder, { factor: "mine" })).toEqual(YEARS);
    const quarters = await listPartitions(folder, { factor: "mine", by: "quarter" });
    expect(quarters.slice(0, 5)).toEqual([
      ...[1, 2, 3, 4].map((quarter) => `quarter=2026-Q${quarter}`),
      "quarter=2027-Q1",
    ]);
    expect(await listPartitions(folder, { factor: "mine", by: "month" })).toHaveLength(15);
  });

  test.each(["year", "quarter", "month"] as const)(
    "by %s give the bits of an analysis in memory",
    async (by) => {
      const paths = await partsOf(`by-${by}`, { factor: "mine", ...QUICK }, by);
      await expectSameBits(paths, market.scores, QUICK);
    },
    LONG_MS,
  );

  test(
    "of live sets give the bits of an analysis in memory, with every rule of entry",
    async () => {
      const rules = {
        ...QUICK,
        entry: "same" as const,
        delayMs: 90 * 60_000,
        statuses: ["current"],
        maxAgeSessions: 30,
        returns: { entryLag: 1, ended: { return: -0.3 } },
        groups: market.groups,
      };
      const paths = await partsOf("live", { factor: "live", ...rules }, "quarter");
      await expectSameBits(paths, live, rules);
    },
    LONG_MS,
  );
});

describe("a part", () => {
  const asked = { factor: "mine", partition: "year=2026", ...QUICK };

  test("that is finished is left alone, and made again for another question", async () => {
    const out = join(home, "finished.parquet");
    expect(await analyzePartition(folder, { ...asked, out })).toEqual({ path: out, isNew: true });
    const before = await stat(out);
    expect(await analyzePartition(folder, { ...asked, out })).toEqual({ path: out, isNew: false });
    expect((await stat(out)).ino).toBe(before.ino);
    const other = await analyzePartition(folder, { ...asked, out, periods: [1, 3] });
    expect(other.isNew).toBe(true);
  });

  test.each([
    ["was cut off", (path: string) => truncate(path, 1_000)],
    ["is empty", (path: string) => truncate(path, 0)],
    ["is something else", (path: string) => writeFile(path, "no part")],
    ["is another Parquet file", (path: string) => market.prices.writeParquet(path)],
  ])("that %s is named by the merge, and made again", async (name, damage) => {
    const [first, second] = await partsOf(`damaged ${name}`, { factor: "mine", ...QUICK });
    await damage(first!);
    const merging = mergePartitions([first!, second!]);
    await expect(merging).rejects.toThrow(IntegrityError);
    await expect(merging).rejects.toThrow(first!);
    const again = await analyzePartition(folder, { ...asked, out: first! });
    expect(again.isNew).toBe(true);
    await mergePartitions([first!, second!]);
  });

  test("with other rows than were written is refused", async () => {
    const out = join(home, "changed.parquet");
    await analyzePartition(folder, { ...asked, out });
    const rows = pl.readParquet(await readFile(out));
    const changed = rows.withColumns(pl.col("ic").mul(pl.lit(-1)).alias("ic"));
    changed.writeParquet(out);
    await expect(readPart(out)).rejects.toThrow(IntegrityError);
  });

  test("has the same bytes if two jobs write it at once", async () => {
    const outs = ["a", "b"].map((name) => join(home, `${name}.parquet`));
    await Promise.all([
      ...outs.map((out) => analyzePartition(folder, { ...asked, out })),
      analyzePartition(folder, { ...asked, out: outs[0]! }),
    ]);
    const [a, b] = await Promise.all(outs.map((out) => readFile(out)));
    expect(a!.equals(b!)).toBe(true);
  });

  test("ends when it is told to", async () => {
    const signal = AbortSignal.abort(new DOMException("enough", "AbortError"));
    const out = join(home, "stopped.parquet");
    await expect(analyzePartition(folder, { ...asked, out, signal })).rejects.toThrow("enough");
    await expect(stat(out)).rejects.toThrow();
  });
});

describe("mergePartitions() refuses", () => {
  let paths: readonly string[];
  beforeAll(async () => {
    paths = await partsOf("sound", { factor: "mine", ...QUICK }, "quarter");
  }, LONG_MS);

  const refusal = async (given: readonly string[]) => {
    const error = await mergePartitions(given).then(() => null, (reason) => reason);
    expect(error).toBeInstanceOf(IntegrityError);
    return (error as Error).message;
  };

  test("a partition that is missing, and names its days", async () => {
    expect(await refusal(paths.filter((_, i) => i !== 2))).toContain("2026-07-01 to 2026-09-30");
    expect(await refusal(paths.slice(1))).toContain("2026-01-05 to 2026-03-31");
    expect(await refusal(paths.slice(0, -1))).toContain("2027-01-01 to 2027-03-16");
  });

  test("a partition that is there twice, also as part of a longer one", async () => {
    expect(await refusal([...paths, paths[1]!])).toContain("quarter=2026-Q2");
    const [year] = await partsOf("years", { factor: "mine", ...QUICK });
    expect(await refusal([...paths, year!])).toContain("year=2026");
  });

  test.each([
    ["scoreframe", "the version of scoreframe", "0.0.9"],
    ["build", "the build of scoreframe", "0123456789abcdef"],
    ["runtime", "the runtime", "deno 2.0.0"],
    ["polars", "the version of Polars", "0.1.0"],
  ])("a part of another maker (%s), and names it", async (name, what, text) => {
    const part = await readPart(paths[1]!);
    const other = join(home, "maker.parquet");
    const maker = { ...part.facts.maker, [name]: text };
    await writePart(other, { ...part, facts: { ...part.facts, maker } });
    const message = await refusal(paths.with(1, other));
    expect(message).toContain(`expected ${what} to be "`);
    expect(message).toContain(`"${text}" in `);
    expect(message).toContain("quarter=2026-Q2");
  });

  test("a part with other columns", async () => {
    const part = await readPart(paths[1]!);
    const other = join(home, "columns.parquet");
    const ic = part.tables.get("ic")!.withColumns(pl.lit(1).alias("rho"));
    await writePart(other, { ...part, tables: new Map([...part.tables, ["ic", ic]]) });
    expect(await refusal(paths.with(1, other))).toContain("columns of ic ");
  });

  test("a difference far into a long text, and shows where it is", async () => {
    const part = await readPart(paths[3]!);
    const align = { ...part.facts.question.align, maxAgeSessions: 9 };
    const other = join(home, "long.parquet");
    await writePart(other, {
      ...part,
      facts: { ...part.facts, question: { ...part.facts.question, align } },
    });
    const message = await refusal(paths.with(3, other));
    const [, expected, got] = /to be (.*) in every part, got (.*) in \//.exec(message)!;
    expect(expected).not.toBe(got);
    expect(got).toContain('"maxAgeSessions":9');
  });

  test("a part of another release, another question or another state of the dataset", async () => {
    const part = await readPart(paths[3]!);
    for (
      const [facts, found] of [
        [{ releases: ["abc"] }, 'the release to be [] in every part, got ["abc"]'],
        [{ question: { ...part.facts.question, quantiles: 7 } }, '"quantiles":7'],
        [{ dataset: "0".repeat(64) }, "the dataset"],
        [{ factor: "other" }, 'the factor to be "mine" in every part, got "other"'],
      ] as const
    ) {
      const other = join(home, "other.parquet");
      await writePart(other, { ...part, facts: { ...part.facts, ...facts } });
      const message = await refusal(paths.with(3, other));
      expect(message).toContain(found);
      expect(message).toContain("(quarter=2026-Q4)");
    }
  });

  test("no part at all", async () => {
    await expect(mergePartitions([])).rejects.toThrow(TypeError);
  });
});

describe("analyzePartition() refuses", () => {
  const out = "part.parquet";
  test.each<[string, object, string]>([
    ["a factor that is not there", { factor: "none" }, "(live, mine)"],
    ["a name that is no partition", { partition: "2026" }, "expected year=2024"],
    [
      "a year without a day of the sample",
      { partition: "year=2031" },
      "expected a partition with days of the sample, 2026-01-05 to 2027-03-16, got year=2031",
    ],
    ["a month before it", { partition: "month=2025-12" }, "got month=2025-12"],
    ["an option that needs all rows", { placebo: {} }, 'got "placebo"'],
    ["prices that are padded", { returns: { missing: "pad" } }, 'got "missing"'],
    ["a table that does not have the factor", { table: "sets" }, "in the table sets"],
    ["a number that makes no sense", { quantiles: 1 }, "quantiles"],
    ["no path", { out: "" }, "expected out to be"],
  ])("%s", async (_, options, message) => {
    const given = { factor: "mine", partition: "year=2026", out, ...options };
    await expect(analyzePartition(folder, given)).rejects.toThrow(message);
  });

  test("a dataset without prices", async () => {
    const lone = join(home, "lone");
    await exportDataset(market.scores, lone, { factor: "mine" });
    await expect(listPartitions(lone, { factor: "mine" })).rejects.toThrow("expected prices");
  });

  test("scores of two calculation definitions, also where they are in different years", async () => {
    const mixed = join(home, "mixed");
    await exportDataset(market.prices, mixed);
    const isLater = pl.col("date").cast(pl.Date).dt.year().eq(pl.lit(2027));
    for (const [version, rows] of [["1.0.0", isLater.not()], ["2.0.0", isLater]] as const) {
      const scores = market.scores.filter(rows).withColumns(
        pl.lit(version).alias("factor_version"),
      );
      await exportDataset(scores, mixed, { factor: "mine" });
    }
    const given = { factor: "mine", partition: "year=2026", out };
    await expect(analyzePartition(mixed, given)).rejects.toThrow("got 1.0.0 and 2.0.0");
  });

  test("a file of the dataset that was cut off, before it computes anything", async () => {
    const copy = join(home, "cut");
    await mkdir(copy);
    const { partitions } = await exportDataset(market.prices, copy);
    await exportDataset(market.scores, copy, { factor: "mine" });
    await truncate(join(copy, partitions[0]!.path), 500);
    const analyzing = analyzePartition(copy, {
      factor: "mine",
      partition: "year=2026",
      out: join(home, "never.parquet"),
    });
    await expect(analyzing).rejects.toThrow(IntegrityError);
    await expect(analyzing).rejects.toThrow("prices/year=2026");
  });
});
