import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { trialLog } from "../../../src/analysis/trial_log.ts";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";
import { byDay, dateAfter, shuffled } from "./_frames.ts";

const known = (await knownInference()).series;
const ofHorizon = (k: number) =>
  byDay("ic", known[k]!.values)
    .withColumns(pl.lit(known[k]!.horizon).cast(pl.Int32).alias("horizon"));
const both = pl.concat([ofHorizon(1), ofHorizon(2)]);

describe("informationSummary", () => {
  test("has one row per horizon with the test of its mean", () => {
    const rows = informationSummary(both).table.toRecords();
    expect(rows.map((row) => [row["horizon"], row["sessions"], row["overlap"]])).toEqual([
      [5, 500, 5],
      [21, 500, 21],
    ]);
    for (const [k, row] of rows.entries()) {
      const { ewc, mean, deviation, values } = known[k + 1]!;
      expectNear(row["mean"], mean);
      expectNear(row["ratio"], mean / deviation);
      expectNear(row["hit_rate"], values.filter((value) => value > 0).length / 500);
      expectNear(row["p"], ewc["p"]!);
      expectNear(row["effective_n"], ewc["effectiveN"]!);
      expectNear(row["detectable"], ewc["detectable"]!);
      expect(row).toMatchObject({ method: "ewc", reason: null, df: ewc["df"] });
    }
    expect(Object.keys(rows[0]!)).toEqual(
      ("horizon,sessions,mean,deviation,ratio,hit_rate,standard_error,t,df,p,low,high,overlap," +
        "windows,effective_n,detectable,method,reason").split(","),
    );
  });

  test("gives equal bytes for rows in any order", () => {
    const one = informationSummary(both);
    const other = informationSummary(shuffled(both));
    expect(other.table.toRecords()).toEqual(one.table.toRecords());
    expect(other.tables.checks.toRecords()).toEqual(one.tables.checks.toRecords());
  });

  test("is the same for a horizon whatever other horizons are there", () => {
    const alone = informationSummary(ofHorizon(2)).table.toRecords();
    expect(informationSummary(both).table.toRecords().slice(1)).toEqual(alone);
  });

  test("counts the overlap of every 21st session from the sessions of the prices", () => {
    const sessions = ofHorizon(2).select("session");
    const rows = ofHorizon(2).height;
    const every = Array.from({ length: rows }, (_, i) => i % 21 === 0);
    const thin = ofHorizon(2).filter(pl.Series("every", every, pl.Bool));
    const [row] = informationSummary(thin, { sessions }).table.toRecords();
    expect(row).toMatchObject({ sessions: 24, overlap: 1, windows: 24, reason: null });
    expect(informationSummary(thin).table.toRecords()[0]).toMatchObject({
      overlap: 21,
      reason: "too_few_windows",
    });
  });

  test("shows starts that do not overlap from the lowest to the highest t, and halves", () => {
    const rows = informationSummary(ofHorizon(1)).tables.checks.toRecords();
    const of = (check: string) => rows.find((row) => row["check"] === check)!;
    expectNear(of("non-overlapping, lowest t")["t"], known[1]!.starts[0]!);
    expectNear(of("non-overlapping, middle t")["t"], known[1]!.starts[2]!);
    expectNear(of("non-overlapping, highest t")["t"], known[1]!.starts[4]!);
    // The windows of the last four sessions of the first half reach into the second.
    const values = ofHorizon(1).getColumn("ic").toArray() as number[];
    const meanOf = (own: readonly number[]) => own.reduce((sum, ic) => sum + ic, 0) / own.length;
    for (const [check, from, to] of [["first half", 0, 246], ["second half", 250, 500]] as const) {
      expect(of(check)["n"]).toBe(to - from);
      expectNear(of(check)["mean"], meanOf(values.slice(from, to)));
    }
  });

  test("tests the one-session form without overlap, and prints it beside the other", () => {
    const oneSession = ofHorizon(2).withColumns(pl.lit(21).alias("horizon"));
    const summary = informationSummary(ofHorizon(2).head(143), { oneSession });
    expect(summary.table.toRecords()[0]!["t"]).toBeNull();
    const row = summary.tables.checks.toRecords().find((one) =>
      one["check"] === "one-session form"
    )!;
    expect(row).toMatchObject({ n: 500, df: 12, reason: null });
    expect(summary.text).toMatch(
      /\(143 sessions, 6\.8 .*\)\. .* \(one-session form, Hodrick 1992\), .* t = .* \(500 sessions\)\./,
    );
  });

  test("enters every test in a trial log, and a repeated one once", () => {
    const tried = trialLog();
    informationSummary(both, { trialLog: tried });
    informationSummary(both, { trialLog: tried });
    informationSummary(both, { trialLog: tried, inference: { method: "newey-west", lag: 6 } });
    expect(tried.count).toBe(4);
    expect(tried.variants()[0]).toMatchObject({
      what: "mean IC",
      options: { horizon: 5, method: "ewc" },
      n: 500,
      times: 2,
    });
  });

  test("takes spreads by group, another null hypothesis, and no rows at all", () => {
    const spread = pl.DataFrame({
      session: [0, 1, 0, 1].map(dateAfter),
      group: ["x", "x", "y", "y"],
      spread: [1, 2, 3, 4],
    });
    const summary = informationSummary(spread);
    expect(summary.table.getColumn("group").toArray()).toEqual(["x", "y"]);
    expect(summary.text).toMatch(/^x: .* at 1 session is 1\.500 \(2 sessions; .* 20\)\./);
    const mean = known[1]!.mean;
    const moved = informationSummary(ofHorizon(1), { against: mean }).table.toRecords()[0]!;
    expect(Math.abs(Number(moved["t"]))).toBeLessThan(1e-9);
    expect(informationSummary(byDay("ic", [])).table.height).toBe(0);
  });

  test("displays its sentences and its frames", () => {
    const shown = String(informationSummary(ofHorizon(0)));
    expect(shown).toMatch(/IC at 1 session is /);
    expect(shown).toContain("checks");
    expect(shown).toContain("non-overlapping");
  });

  test("refuses unknown options and methods by name", () => {
    expect(() => informationSummary(both, { infer: "ewc" } as never)).toThrow(/infer/);
    expect(() => informationSummary(both, { inference: { method: "t" } as never })).toThrow(/ewc/);
    expect(() => informationSummary(both, { against: NaN })).toThrow(RangeError);
  });
});

test("more than 5% of a weight without a return is said in words", () => {
  const returns = byDay("return", Array.from({ length: 30 }, (_, i) => Math.sin(i)));
  const withMissing = (share: number) =>
    returns.withColumns(pl.Series("missing_weight", Array(30).fill(share), pl.Float64));
  expect(informationSummary(withMissing(0.08)).text).toMatch(
    / 8\.0% of the weight has no return and is left out\.$/,
  );
  expect(informationSummary(withMissing(0.04)).text).not.toContain("weight");
  expect(informationSummary(returns).text).not.toContain("weight");
});
