import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";
import { monotonicity } from "../../../src/analysis/series/monotonicity.ts";
import { dateAfter, shuffled } from "./_frames.ts";

/** Returns of buckets with given means, and noise that a seed determines. */
function buckets(means: readonly number[], { sessions = 250, seed = 1 } = {}) {
  const random = randomSource(seed);
  return pl.DataFrame(
    Array.from({ length: sessions }, (_, day) =>
      means.map((mean, k) => ({
        session: dateAfter(day),
        horizon: 1,
        quantile: k + 1,
        return: mean + 0.01 * (random.uniform() + random.uniform() - 1),
      }))).flat(),
  );
}

function measure(frame: pl.DataFrame, options = {}) {
  return monotonicity(frame, options).table.toRecords()[0]!;
}

describe("monotonicity", () => {
  test("finds a pattern that rises everywhere", () => {
    const row = measure(buckets([0, 0.002, 0.004, 0.006]));
    expect(row).toMatchObject({ buckets: 4, rank_correlation: 1, n: 250, reason: null });
    expect(row["mr_p"]).toBeLessThan(0.02);
  });

  test("does not call a pattern with one falling step everywhere rising", () => {
    const row = measure(buckets([0, 0.004, 0.003, 0.007]));
    expect(row["rank_correlation"]).toBeCloseTo(0.8);
    expect(row["smallest_step"]).toBeLessThan(0);
    expect(row["mr_p"]).toBeGreaterThan(0.5);
  });

  test("rejects a flat pattern about as often as it says", () => {
    const rows = Array.from(
      { length: 150 },
      (_, seed) =>
        measure(buckets([0, 0, 0], { seed: seed + 1, sessions: 60 }), { bootstrap: { draws: 99 } }),
    );
    const share = () => rows.filter((row) => Number(row["mr_p"]) <= 0.1).length / rows.length;
    // Of 150 the standard error is 2.5 points.
    expect(share()).toBeGreaterThan(0.02);
    expect(share()).toBeLessThan(0.18);
  });

  test("has the steps between neighbours with their errors", () => {
    const { tables: { steps }, text } = monotonicity(buckets([0, 0.002, 0.004]));
    const rows = steps.toRecords();
    expect(rows.map((row) => row["step"])).toEqual(["1 to 2", "2 to 3"]);
    expect(rows.every((row) => Number(row["low"]) < 0.002 && Number(row["high"]) > 0.002)).toBe(
      true,
    );
    expect(text).toMatch(
      / at 1 session rises significantly .* at 2 of 2 steps .* \(250 sessions\)/,
    );
  });

  test("says which rule a short sample does not meet, and no second one", () => {
    expect(monotonicity(buckets([0, 1, 2], { sessions: 12 })).text).toBe(
      "There is no test of the steps between 3 quantiles at 1 session (12 sessions; a test requires 20 values and 10 " +
        "non-overlapping windows).",
    );
  });

  test("uses only sessions in which all buckets have a return", () => {
    const frame = buckets([0, 0.002, 0.004]).withColumns(
      pl.when(pl.col("quantile").eq(pl.lit(2)).and(pl.col("session").lt(pl.lit("2026-01-11"))))
        .then(pl.lit(null)).otherwise(pl.col("return")).alias("return"),
    );
    expect(measure(frame)["n"]).toBe(240);
  });

  test("gives equal draws for equal seeds, whatever the order of rows", () => {
    const frame = buckets([0, 0.0001, 0.0002]);
    expect(measure(shuffled(frame))).toEqual(measure(frame));
    expect(measure(frame, { bootstrap: { seed: 2 } })["mr_p"]).not.toBe(measure(frame)["mr_p"]);
  });

  test("states no test for a short sample, and refuses a single bucket", () => {
    expect(measure(buckets([0, 1, 2], { sessions: 12 }))).toMatchObject({
      mr_p: null,
      n: 12,
      reason: "too_few_windows",
    });
    expect(() => measure(buckets([0]))).toThrow(RangeError);
  });
});
