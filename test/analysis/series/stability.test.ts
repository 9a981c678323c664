import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { stability } from "../../../src/analysis/series/stability.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { byDay, shuffled } from "./_frames.ts";

/** Values about a mean that may differ from session to session. */
function values(count: number, meanOf: (i: number) => number, seed = 1): number[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => meanOf(i) + 0.2 * (random.uniform() - 0.5));
}

describe("stability", () => {
  test("compares calendar years, each with its own test", () => {
    // From 2026-01-01 on: 365 days of 2026, then 2027.
    const ic = byDay("ic", values(600, (i) => i < 365 ? 0 : 0.05));
    const { table, tables: { joint } } = stability(ic);
    const parts = table.toRecords();
    expect(parts.map((row) => [row["part"], row["sessions"]])).toEqual([["2026", 365], [
      "2027",
      235,
    ]]);
    expect(joint.toRecords()[0]).toMatchObject({ horizon: 1, parts: 2, df1: 1, reason: null });
    expect(joint.toRecords()[0]!["p"]).toBeLessThan(0.01);
    const [a, b] = parts;
    const square = (a!.mean! - b!.mean!) ** 2 / (a!.standard_error! ** 2 + b!.standard_error! ** 2);
    expectNear(joint.toRecords()[0]!["f"], square);
  });

  test("compares groups that move together by their differences", () => {
    const common = values(300, () => 0, 2);
    const own = (seed: number, mean: number) =>
      values(300, () => mean, seed).map((value, i) => 5 * common[i]! + value);
    const frame = (mean: number) =>
      pl.concat(
        ["x", "y", "z"].map((group, k) =>
          byDay("ic", own(3 + k, k === 2 ? mean : 0)).withColumns(pl.lit(group).alias("group"))
        ),
      );
    const p = (mean: number) =>
      Number(stability(frame(mean), { by: "group" }).tables.joint.toRecords()[0]!["p"]);
    // The common part hides the difference from a comparison of each mean with its own error.
    expect(p(0.03)).toBeLessThan(0.01);
    expect(p(0)).toBeGreaterThan(0.05);
    expect(stability(frame(0.03), { by: "group" }).tables.joint.toRecords()[0]).toMatchObject({
      parts: 3,
      df1: 2,
      df2: 7,
    });
  });

  test("leaves out values whose windows reach into another part, and says how many", () => {
    const ic = byDay("ic", values(400, () => 0)).withColumns(pl.lit(21).alias("horizon"));
    const halves = stability(ic, { by: "half" });
    expect(halves.table.getColumn("sessions").toArray()).toEqual([180, 200]);
    expect(halves.text).toMatch(
      / 20 sessions with windows that reach into another part are left out\.$/,
    );
    const checks = informationSummary(ic).tables.checks.filter(
      pl.col("check").str.contains("half"),
    );
    expect(checks.getColumn("n").toArray()).toEqual([180, 200]);
    // A session in no part is no border.
    const period = Array.from({ length: 400 }, (_, i) => i < 200 ? "a" : i < 250 ? null : "b");
    const own = ic.select("session").withColumns(pl.Series("period", period, pl.Utf8));
    expect(stability(ic, { by: own }).table.getColumn("sessions").toArray()).toEqual([200, 150]);
  });

  test("takes halves, and periods of one's own", () => {
    const ic = byDay("ic", values(120, (i) => i % 2 === 0 ? 0.1 : 0));
    const calm = ic.select("session").withColumns(
      pl.Series("period", Array.from({ length: 120 }, (_, i) => i % 2 === 0 ? "calm" : "wild")),
    );
    expect(stability(ic, { by: "half" }).tables.joint.toRecords()[0]!["p"]).toBeGreaterThan(0.05);
    const own = stability(ic, { by: calm });
    expect(own.table.getColumn("part").toArray()).toEqual(["calm", "wild"]);
    expect(own.tables.joint.toRecords()[0]!["p"]).toBeLessThan(0.001);
    expect(own.text).toMatch(
      /^At 1 session, the test of equal means across 2 parts \(60 and 60 sessions\) gives p/,
    );
  });

  test("leaves out sessions without a period, and says how many", () => {
    const ic = byDay("ic", values(120, (i) => i % 2 === 0 ? 0.1 : 0));
    const named = ic.select("session").withColumns(
      pl.Series("period", Array.from({ length: 120 }, (_, i) => i < 20 ? null : `${i % 2}`)),
    );
    const some = stability(ic, { by: named });
    expect(some.table.getColumn("part").toArray()).toEqual(["0", "1"]);
    expect(some.table.getColumn("sessions").toArray()).toEqual([50, 50]);
    expect(some.text).toContain("20 sessions without a period are left out.");
    const few = stability(ic, { by: named.slice(20, 3) });
    expect(few.table.getColumn("sessions").toArray()).toEqual([2, 1]);
    expect(stability(ic, { by: named.head(3) }).table.height).toBe(0);
  });

  test("states no joint test where a part is too short or alone", () => {
    const short = stability(byDay("ic", values(370, () => 0)));
    expect(short.table.toRecords()[1]).toMatchObject({ sessions: 5, p: null });
    expect(short.tables.joint.toRecords()[0]).toMatchObject({
      f: null,
      p: null,
      reason: "too_few_windows",
    });
    expect(stability(byDay("ic", values(100, () => 0))).tables.joint.toRecords()[0]!["p"])
      .toBeNull();
    expect(stability(byDay("ic", [])).tables.joint.height).toBe(0);
  });

  test("does not depend on the order of rows, and refuses what cannot be compared", () => {
    const ic = byDay("ic", values(600, () => 0));
    expect(stability(shuffled(ic)).tables.joint.toRecords()).toEqual(
      stability(ic).tables.joint.toRecords(),
    );
    expect(() => stability(ic, { by: "month" as never })).toThrow(/month/);
    expect(() => stability(ic, { per: "year" } as never)).toThrow(/per/);
  });
});
