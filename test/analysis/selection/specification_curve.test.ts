import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  analyzeFactor,
  forwardReturns,
  informationCoefficient,
  informationSummary,
  judgement,
  specificationCurve,
  winsorize,
} from "../../../src/analysis/mod.ts";
import { tearSheet } from "../../../src/report/sheet/mod.ts";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";

type Row = Readonly<Record<string, unknown>>;

const NAMES = 20;
const DAYS = 150;
const DATES = Array.from(
  { length: DAYS },
  (_, d) => new Date(Date.UTC(2024, 0, 1) + (7 * Math.floor(d / 5) + d % 5) * 86_400_000),
);

/** Scores, closes and groups; a part of the next return is in the score. */
function market(seed: number, relation: number) {
  const random = randomSource(seed);
  const shock = () => random.uniform() + random.uniform() - 1;
  const closes = Array.from({ length: NAMES }, () => 100);
  const earlier = closes.map(() => 0);
  const rows = DATES.flatMap((date) =>
    closes.map((close, i) => {
      const score = shock();
      // Known before the entry at this close.
      closes[i] = close * (1 + 0.02 * (relation * earlier[i]! + shock()));
      earlier[i] = score;
      return { date, ticker: `T${i}`, score, close };
    })
  );
  const column = (name: "score" | "close") =>
    pl.DataFrame([
      pl.Series("date", rows.map(({ date }) => date), pl.Date),
      pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series(name, rows.map((row) => row[name]), pl.Float64),
    ]);
  const groups = pl.DataFrame({
    ticker: closes.map((_, i) => `T${i}`),
    group: closes.map((_, i) => `g${i % 2}`),
  });
  return { scores: column("score"), prices: column("close"), groups };
}

const rowsOf = (frame: pl.DataFrame) => frame.toRecords() as unknown as readonly Row[];
const OWN = { calendar: "own" } as const;

describe("a specification curve", () => {
  test("has every combination of choices, smallest mean first", async () => {
    const { scores, prices, groups } = market(1, 0);
    const { table, tables: { summary }, text } = await specificationCurve(scores, prices, {
      ...{ ...OWN, groups, horizons: [1, 5], entry: ["next", "same"], draws: 99 },
      periods: { all: {}, late: { from: "2024-04-01" } },
    });
    // 2 horizons, 2 entries, 2 correlations, 2 neutral, 3 winsor, 3 buckets, 2 periods.
    expect(table.height).toBe(288);
    const means = rowsOf(table).map((row) => Number(row["mean"]));
    expect(means).toEqual(means.toSorted((a, b) => a - b));
    expect(rowsOf(summary)[0]).toMatchObject({
      specifications: 288,
      smallest: means[0],
      median: (means[143]! + means[144]!) / 2,
      largest: means[287],
      above: means.filter((mean) => mean > 0).length / 288,
    });
    expect(text).toContain("Across 288 specifications the mean IC ranges from ");
    expect(new Set(rowsOf(table).map((row) => row["period"]))).toEqual(new Set(["all", "late"]));
  });

  test("has the numbers of an analysis, and of the functions it is made of", async () => {
    const { scores, prices, groups } = market(2, 0.2);
    const { table } = await specificationCurve(scores, prices, {
      ...{ ...OWN, groups, horizons: [1, 5], winsor: [0, 0.1], buckets: [0], draws: 99 },
    });
    const find = (of: Row) =>
      rowsOf(table).find((row) =>
        Object.entries(of).every(([name, value]) => row[name] === value)
      )!;
    const plain = { correlation: "spearman", neutral: "none", winsor: 0 };
    const { summary } = await analyzeFactor(scores, prices, {
      ...{ ...OWN, periods: [1, 5], progress: false },
    });
    for (const expected of rowsOf(summary.table)) {
      const found = find({ ...plain, horizon: expected["horizon"] });
      for (const name of ["sessions", "mean", "low", "high", "t", "p"]) {
        expect(found[name], name).toBe(expected[name]);
      }
    }
    const aligned = align(scores, forwardReturns(prices, { periods: [1, 5], ...OWN }), { groups });
    const drawn = winsorize(aligned, { share: 0.1 });
    const ic = informationCoefficient(drawn, { method: "pearson", groupNeutral: true });
    for (const expected of rowsOf(informationSummary(ic).table)) {
      const of = { correlation: "pearson", neutral: "group", winsor: 0.1 };
      expect(find({ ...of, horizon: expected["horizon"] })["mean"]).toBeCloseTo(
        Number(expected["mean"]),
        14,
      );
    }
  });

  test("a relation is found by the joint test, and none where there is none", async () => {
    const few = { ...OWN, horizons: [1, 5], draws: 199 };
    const found = await specificationCurve(...pair(market(3, 0.3)), few);
    expect(rowsOf(found.tables.summary)[0]).toMatchObject({
      above: 1,
      p_median: 0.005,
      p_mean: 0.005,
      p_significant: 0.005,
    });
    const none = await specificationCurve(...pair(market(4, 0)), few);
    for (const name of ["p_median", "p_mean", "p_significant"]) {
      expect(Number(rowsOf(none.tables.summary)[0]![name])).toBeGreaterThan(0.1);
    }
  });

  test("stands on the tear sheet where one was computed", async () => {
    const given = pair(market(2, 0.2));
    const few = { horizons: [1], buckets: [0], winsor: [0], draws: 99, ...OWN };
    const curve = await specificationCurve(...given, few);
    const analysis = await analyzeFactor(...given, {
      ...{ ...OWN, periods: [1], progress: false, lags: [1] },
    });
    const parts = ["trialLog"];
    const { text } = tearSheet(analysis, { parts, curve });
    expect(text).toMatch(/Mean IC between 0\.\d+ and 0\.\d+ in 2 specifications; joint p = 0\.01/);
    expect(tearSheet(analysis, { parts }).text).not.toContain("specifications");
    expect(tearSheet(analysis, { parts: ["judgement"], curve }).text).toContain(curve.text);
    const { text: said, facts } = judgement(analysis, { curve });
    expect(said.replace(/\s+/g, " ")).toContain(curve.text);
    const [fact] = facts.filter(pl.col("source").eq(pl.lit("curve.tables.summary"))).toRecords();
    const [row] = rowsOf(curve.tables.summary);
    expect(fact).toEqual({
      topic: "Multiple testing",
      statement: curve.text,
      value: row!["median"],
      low: row!["smallest"],
      high: row!["largest"],
      n: 2,
      source: "curve.tables.summary",
    });
    expect(judgement(analysis).text).not.toContain("specifications");
    expect(() => judgement(analysis, { curve: curve.table as never })).toThrow(
      /specificationCurve\(\), got a DataFrame/,
    );
    expect(() => tearSheet(analysis, { curve: curve.text as never })).toThrow(
      "specificationCurve()",
    );
  });

  test.each([
    [{ neutral: ["group"] }, "expected groups where neutral is"],
    [
      { horizons: 5 },
      "expected horizons to be an array of whole numbers of sessions, at least 1, each once, got 5",
    ],
    [{ buckets: [1] }, "expected buckets to be an array of whole numbers of at least 2, or 0"],
    [{ winsor: [0.5] }, "expected winsor to be an array of shares from 0 to below 0.5"],
    [{ periods: ["2024"] }, "expected periods to be an object of periods by name"],
    [{ quantiles: [5] }, "expected one of the options"],
  ])("refuses %j", async (options, message) => {
    await expect(specificationCurve(...pair(market(1, 0)), options as never)).rejects.toThrow(
      message,
    );
  });
});

function pair({ scores, prices }: ReturnType<typeof market>) {
  return [scores, prices] as const;
}
