import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { fitDecay, halfLife } from "../../../src/analysis/series/half_life.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";
import { dateAfter, shuffled } from "./_frames.ts";

const LAGS = [1, 2, 3, 5, 8, 13, 21, 34, 63];

function decay(levelAt: (lag: number) => number, { noise = 0.02, sessions = 200 } = {}) {
  const rows = Array.from({ length: sessions }, (_, day) =>
    LAGS.map((lag, k) => ({
      session: dateAfter(day),
      lag,
      ic: levelAt(lag) + noise * Math.sqrt(2) * Math.sin(12.9898 * (day + 1) * (k + 2)),
    }))).flat();
  return pl.DataFrame(rows);
}

function measure(frame: pl.DataFrame): Record<string, unknown> {
  return halfLife(frame).toRecords()[0]!;
}

describe("fitDecay", () => {
  test("finds what scipy's curve_fit finds", async () => {
    const { lags, means, errors, level, halfLife: known } = (await knownInference()).decay;
    const points = lags.map((lag, k) => ({ lag, mean: means[k]!, weight: errors[k]! ** -2 }));
    const fit = fitDecay(points);
    // The sum of squares is flat at its bottom: half of the digits is what any search can find.
    expectNear(fit.halfLife, known, 1e-6);
    // scipy's level is that at lag 0; ours is that at the shortest lag, 1.
    expectNear(fit.level, level * 2 ** (-1 / known), 1e-6);
    expect(fit.isShort).toBe(false);
    expect(fit.isFlat).toBe(false);
  });

  test("recovers a curve exactly, falling or negative", () => {
    for (const level of [0.05, -0.05]) {
      const points = LAGS.map((lag) => ({ lag, mean: level * 2 ** ((1 - lag) / 17), weight: 1 }));
      expectNear(fitDecay(points).halfLife, 17, 1e-6);
      expectNear(fitDecay(points).level, level, 1e-6);
    }
  });
});

describe("halfLife", () => {
  test("holds the planted half-life within its interval", () => {
    const row = measure(decay((lag) => 0.05 * 2 ** (-lag / 20)));
    expect(row).toMatchObject({ lags: 9, sessions: 200, reason: null });
    expect(row["half_life_low"]).toBeLessThan(20);
    expect(row["half_life_high"]).toBeGreaterThan(20);
    expect(row["half_life"]).toBeGreaterThan(row["half_life_low"] as number);
    expect(row["level_low"]).toBeGreaterThan(0);
  });

  // A return of one session that a score knows: 0.05 at lag 1, nothing at any other.
  test("says less than a quarter of a session for a relation of one session", () => {
    const row = measure(decay((lag) => lag === 1 ? 0.05 : 0));
    expect(row).toMatchObject({
      half_life: null,
      half_life_low: null,
      half_life_high: 0.25,
      reason: "shorter_than_grid",
    });
    expect(row["level"]).toBeCloseTo(0.05, 2);
    expect(row["level_low"]).toBeGreaterThan(0.04);
    expect(row["level_high"]).toBeLessThan(0.06);
  });

  test("has the IC at the shortest lag as its level", () => {
    const late = decay((lag) => 0.05 * 2 ** ((5 - lag) / 20), { noise: 0.001 })
      .filter(pl.col("lag").gtEq(pl.lit(5)));
    const row = measure(late);
    expect(row["level"]).toBeCloseTo(0.05, 3);
    expect(Number(row["half_life"])).toBeCloseTo(20, 0);
  });

  test("is null with a reason where there is no relation", () => {
    expect(measure(decay(() => 0))).toMatchObject({ half_life: null, reason: "no_relation" });
  });

  test("is null with a reason where nothing fades", () => {
    const row = measure(decay(() => 0.05));
    expect(row).toMatchObject({ half_life: null, half_life_low: null, reason: "no_decay" });
    expect(row["level_low"]).toBeGreaterThan(0.04);
  });

  test("is null with a reason for few sessions and few lags", () => {
    const short = decay((lag) => 0.05 * 2 ** (-lag / 20), { sessions: 19 });
    expect(measure(short)).toMatchObject({ level: null, sessions: 19, reason: "too_few_windows" });
    const long = decay((lag) => 0.05 * 2 ** (-lag / 20));
    expect(measure(long.filter(pl.col("lag").lt(pl.lit(3)))).reason).toBe("too_few_windows");
  });

  test("counts only sessions that have an IC at a lag", () => {
    const unseen = dateAfter(199);
    const found = measure(
      decay((lag) => 0.05 * 2 ** (-lag / 20)).withColumns(
        pl.when(pl.col("session").eq(pl.lit(unseen))).then(pl.lit(null)).otherwise(pl.col("ic"))
          .alias("ic"),
      ),
    );
    expect(found).toMatchObject({ sessions: 199, reason: null });
  });

  test("needs three lags and twenty sessions, and no more", () => {
    const few = (sessions: number) =>
      decay((lag) => 0.2 * 2 ** (-lag / 4), { noise: 0.001, sessions });
    const three = pl.col("lag").ltEq(pl.lit(3));
    const found = measure(few(20).filter(three));
    expect(found).toMatchObject({ lags: 3, sessions: 20, reason: null });
    expect(Number(found["half_life"])).toBeCloseTo(4, 0);
    expect(measure(few(19).filter(three))["reason"]).toBe("too_few_windows");
    expect(measure(few(20).filter(pl.col("lag").ltEq(pl.lit(2))))["reason"]).toBe(
      "too_few_windows",
    );
  });

  test("does not depend on the order of rows", () => {
    const frame = decay((lag) => 0.05 * 2 ** (-lag / 20));
    expect(measure(shuffled(frame))).toEqual(measure(frame));
  });
});
