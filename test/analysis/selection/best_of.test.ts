import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { backtestOverfitting, bestOf, informationSummary } from "../../../src/analysis/mod.ts";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";

type Row = Readonly<Record<string, unknown>>;

const DAYS = Array.from({ length: 120 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));

/** Noise of one seed around a mean, over some of the days. */
function noise(seed: number, mean = 0, days: readonly Date[] = DAYS): DataFrame {
  const random = randomSource(seed);
  const values = DAYS.map(() => mean + 0.1 * (random.uniform() + random.uniform() - 1));
  return pl.DataFrame([
    pl.Series("session", [...days], pl.Date),
    pl.Series("ic", values.slice(0, days.length), pl.Float64),
  ]);
}

const rowsOf = (frame: DataFrame) => frame.toRecords() as unknown as readonly Row[];
const testOf = (found: ReturnType<typeof bestOf>) => rowsOf(found.tables.test)[0]!;

describe("the best of several variants", () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, k) => [`v${k}`, noise(1 + k)]));

  test("two hundred copies of one variant count as one", () => {
    const copies = Object.fromEntries(
      Array.from({ length: 200 }, (_, k) => [`copy${k}`, noise(7, 0.006)]),
    );
    const [one] = rowsOf(bestOf({ one: noise(7, 0.006) }).table);
    const adjusted = rowsOf(bestOf(copies).table).map((row) => row["p_adjusted"]);
    expect(new Set(adjusted)).toEqual(new Set([one!["p_adjusted"]]));
    expect(Math.abs(Number(one!["p_adjusted"]) - Number(one!["p"]))).toBeLessThan(0.02);
    expect(Number(one!["p"])).toBeGreaterThan(0.01);
  });

  test("thirty independent ones count as thirty", () => {
    const rows = rowsOf(bestOf(many).table);
    const p = Number(rows[0]!["p"]);
    // Šidák: the smallest of thirty independent p values.
    expect(Math.abs(Number(rows[0]!["p_adjusted"]) - (1 - (1 - p) ** 30))).toBeLessThan(0.06);
    const adjusted = rows.map((row) => Number(row["p_adjusted"]));
    expect(adjusted).toEqual(adjusted.toSorted((a, b) => a - b));
  });

  test("one with a relation is found among them, also one of the other sign", () => {
    for (const mean of [0.03, -0.03]) {
      const found = bestOf({ ...many, planted: noise(99, mean) });
      expect(testOf(found)).toMatchObject({ best: "planted", variants: 31, sessions: 120 });
      expect(Number(testOf(found)["p"])).toBeLessThan(0.01);
      expect(found.text).toContain("The best of 31 variants is planted at 1 session");
      expect(found.text).toMatch(/1 variant .* at most 0\.05/);
    }
    const oneSided = bestOf({ ...many, planted: noise(99, -0.03) }, { sides: "greater" });
    expect(rowsOf(oneSided.table).at(-1)!["variant"]).toBe("planted");
    expect(rowsOf(oneSided.table).at(-1)!["p_adjusted"]).toBe(1);
  });

  test("the test of one variant alone is that of its mean, with fewer cosines where windows are few", () => {
    const [one] = rowsOf(bestOf({ one: noise(3) }).table);
    const [expected] = rowsOf(informationSummary(noise(3)).table);
    for (const name of ["mean", "t", "df", "p", "standard_error"]) {
      expect(one![name], name).toBe(expected![name]);
    }
    // 120 sessions are 24 windows of five: four cosines, a sixth of them.
    expect(rowsOf(bestOf({ one: noise(3) }, { horizon: 5 }).table)[0]).toMatchObject({ df: 4 });
  });

  test("each method has its p value, and Hansen's three are in order", () => {
    const stepm = testOf(bestOf(many));
    const spa = testOf(bestOf(many, { method: "spa" }));
    const check = testOf(bestOf(many, { method: "reality-check" }));
    expect(stepm["p"]).toBe(spa["p_consistent"]);
    expect(check["p"]).toBe(check["p_upper"]);
    for (const row of [spa, check]) {
      expect(Number(row["p_lower"])).toBeLessThanOrEqual(Number(row["p_consistent"]));
      expect(Number(row["p_consistent"])).toBeLessThanOrEqual(Number(row["p_upper"]));
    }
    // Means of one size in units of their own error or not at all.
    expect(check["statistic"]).not.toBe(spa["statistic"]);
    expect(testOf(bestOf(many, { seed: 2 }))["p"]).not.toBe(stepm["p"]);
    expect(testOf(bestOf(many))).toEqual(stepm);
  });

  test("a stepwise p value is at most the one of a single step", () => {
    const single = new Map(
      rowsOf(bestOf(many, { method: "spa" }).table).map((
        row,
      ) => [row["variant"], row["p_adjusted"]]),
    );
    for (const row of rowsOf(bestOf(many).table)) {
      expect(Number(row["p_adjusted"])).toBeLessThanOrEqual(Number(single.get(row["variant"])));
    }
  });

  test("sessions that not all variants have are left out and counted; a variant without a test says why", () => {
    const found = bestOf({ a: noise(1), b: noise(2, 0, DAYS.slice(0, 100)) });
    expect(testOf(found)["sessions"]).toBe(100);
    expect(found.text).toMatch(/20 sessions .* left out/);
    const half = bestOf({ a: noise(1), b: noise(2, 0, DAYS.slice(0, 59)) });
    expect(testOf(half)).toMatchObject({ sessions: 120, variants: 1 });
    expect(half.text).toMatch(/1 variant .* tested/);
    const flat = noise(1).withColumns(pl.lit(0.1).alias("ic"));
    const rows = rowsOf(bestOf({ flat, a: noise(1) }).table);
    expect(rows.map((row) => [row["variant"], row["reason"]])).toEqual([["a", null], [
      "flat",
      "no_variance",
    ]]);
    const short = bestOf({ a: noise(1, 0, DAYS.slice(0, 19)) });
    expect(rowsOf(short.table)[0]).toMatchObject({ p_adjusted: null, reason: "too_few_windows" });
    expect(testOf(short)).toMatchObject({ p: null, reason: "too_few_windows" });
    // 120 sessions are 17 windows of seven.
    const long = bestOf({ a: noise(1) }, { horizon: 7 });
    expect(testOf(long)).toMatchObject({ p: null, reason: "too_few_windows" });
  });

  test.each([
    [[noise(1)], {}, "expected the series of variants by name, got an array"],
    [{}, {}, "expected the series of variants by name"],
    [{ a: 1 }, {}, "variant a"],
    [
      { a: noise(1) },
      { method: "holm" },
      'expected method to be "stepm" or "spa" or "reality-check", got "holm"',
    ],
    [{ a: noise(1) }, { level: 5 }, "expected level to be a number from 0.0001 to 0.5, got 5"],
    [{ a: noise(1) }, { draws: 10 }, "expected draws to be a whole number of at least 99, got 10"],
    [
      { a: noise(1) },
      { studentize: true },
      'expected studentize to be "ewc" or "hansen" or false, got true',
    ],
  ])("refuses %#", (variants, options, message) => {
    expect(() => bestOf(variants as never, options as never)).toThrow(message);
  });
});

describe("the probability of backtest overfitting", () => {
  const tableOf = (of: Record<string, DataFrame>, options = {}) =>
    rowsOf(backtestOverfitting(of, options).table)[0]!;

  test("is 0 where one variant is always best, and 1 where the best half is followed by the worst", () => {
    const better = noise(1).withColumns(pl.col("ic").plus(pl.lit(0.5)).alias("ic"));
    expect(tableOf({ a: noise(1), better, c: noise(2) })).toMatchObject({
      pbo: 0,
      mean_rank: 0.75,
      variants: 3,
      sessions: 112,
      splits: 12_870,
    });
    // By hand: in two halves one is best in the first, the other in the second.
    const halves = (first: number, second: number) =>
      noise(1).withColumns(
        pl.Series(
          "ic",
          DAYS.map((_, i) => (i < 60 ? first : second) + (i % 2 === 0 ? 0.1 : -0.1)),
          pl.Float64,
        ),
      );
    expect(tableOf({ a: halves(1, -1), b: halves(-1, 1) }, { blocks: 2 })).toMatchObject({
      pbo: 1,
      mean_rank: 1 / 3,
      splits: 2,
    });
  });

  test("is null with its reason where values do not vary or are too few", () => {
    const flat = noise(1).withColumns(pl.lit(0.1).alias("ic"));
    expect(tableOf({ a: noise(1), flat })).toMatchObject({ pbo: null, reason: "no_variance" });
    const a = noise(1, 0, DAYS.slice(0, 31));
    expect(tableOf({ a, b: noise(2, 0, DAYS.slice(0, 31)) })).toMatchObject({
      pbo: null,
      reason: "too_few_windows",
    });
  });

  describe.each([
    // Blocks of 15 sessions hold no window of 21.
    [{ horizon: 21, sessions: 250, blocks: 16 }, null],
    [{ horizon: 21, sessions: 250, blocks: 8 }, 0.5],
    [{ horizon: 21, sessions: 500, blocks: 10 }, 0.5],
    [{ horizon: 5, sessions: 250, blocks: 10 }, 0.5],
    [{ horizon: 5, sessions: 500, blocks: 10 }, 0.5],
    [{ horizon: 1, sessions: 250, blocks: 10 }, 0.5],
  ])("of noise in overlapping windows, %o", ({ horizon, sessions, blocks }, mean) => {
    const of = (seed: number) => {
      const random = randomSource(seed);
      const variants = Array.from({ length: 12 }, (_, k) => {
        const own = Array.from({ length: sessions + horizon - 1 }, () => random.uniform() - 0.5);
        const values = Float64Array.from(
          { length: sessions },
          (_, i) => own.slice(i, i + horizon).reduce((sum, value) => sum + value, 0),
        );
        const places = Int32Array.from({ length: sessions }, (_, i) => i);
        const series = { name: "ic", unit: "session", horizon, group: null, counts: places };
        return [`v${k}`, { ...series, days: places, places, values }] as const;
      });
      return backtestOverfitting(Object.fromEntries(variants), { blocks });
    };
    const worlds = Array.from({ length: 100 }, (_, seed) => of(seed + 1));

    test(`is ${mean === null ? "null" : "one half"} in the mean of 100 worlds`, () => {
      if (mean === null) {
        expect(worlds.map(({ table }) => table.toRecords()[0]!["reason"]))
          .toEqual(Array(100).fill("too_few_windows"));
        expect(worlds[0]!.text).toContain("whose windows do not reach into the next");
        return;
      }
      const all = worlds.map(({ table }) => Number(table.toRecords()[0]!["pbo"]));
      const average = all.reduce((sum, pbo) => sum + pbo, 0) / 100;
      expect(average).toBeGreaterThan(0.45);
      expect(average).toBeLessThan(0.55);
      const purged = (blocks - 1) * (horizon - 1);
      expect(worlds[0]!.table.toRecords()[0]).toMatchObject({
        ...{ purged, sessions: blocks * Math.floor(sessions / blocks) - purged },
      });
    });
  });

  test.each([
    [{ a: noise(1) }, {}, "expected two series or more, got 1"],
    [
      { a: noise(1), b: noise(2) },
      { blocks: 7 },
      "expected blocks to be an even number from 2 to 20, got 7",
    ],
  ])("refuses %#", (variants, options, message) => {
    expect(() => backtestOverfitting(variants, options)).toThrow(message);
  });
});
