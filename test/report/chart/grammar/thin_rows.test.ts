import fc from "fast-check";
import pl from "nodejs-polars";
import { withMembers } from "../../../helpers/with_members.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import {
  cumulativeQuantileReturnChart,
  cumulativeReturnChart,
  icChart,
} from "../../../../src/report/chart/mod.ts";
import { thinRows } from "../../../../src/report/chart/grammar/thin_rows.ts";
import type { Row } from "../../../../src/report/chart/grammar/values.ts";
import { sampleAnalysis } from "../../../helpers/sample_analysis.ts";

const FIELDS = ["w0", "w1", "d0"];
const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { freq: 10 });
const lines = fc.array(fc.record({ w0: value, w1: value, d0: value }), { maxLength: 900 });

function extremesOf(rows: readonly Row[], field: string): readonly number[] {
  const values = rows.map((row) => row[field]).filter((one) => typeof one === "number");
  return [values.length, Math.min(...values), Math.max(...values)].slice(1);
}

describe("thinned rows", () => {
  test("have the extremes, the ends and the gaps of all rows, at any length", () => {
    fc.assert(fc.property(lines, fc.integer({ min: 12, max: 200 }), (rows, most) => {
      const thinned = thinRows(rows, FIELDS, most);
      expect(thinned.rows.length).toBeLessThanOrEqual(Math.max(most, 11));
      expect(thinned.rows[0]).toBe(rows[0]);
      expect(thinned.rows.at(-1)).toBe(rows.at(-1));
      for (const field of FIELDS) {
        expect(extremesOf(thinned.rows, field)).toEqual(extremesOf(rows, field));
        const hasGap = (of: readonly Row[]) => of.some((row) => row[field] === null);
        expect(hasGap(thinned.rows)).toBe(hasGap(rows));
      }
      // In their order, each once.
      const places = thinned.rows.map((row) => rows.indexOf(row as typeof rows[number]));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size).toBe(places.length);
    }));
  });

  test("are all rows where these are few", () => {
    const rows = [{ w0: 1 }, { w0: null }, { w0: 3 }];
    expect(thinRows(rows, ["w0"], 3)).toEqual({ rows, size: 1 });
  });
});

describe("a crash of one session in ten years", () => {
  const DAYS = 2520;
  // Wealth of 1 that falls to 0.748 in session 1,234 and is back the next session: a drawdown of 25.2%.
  const fallAt = (i: number) => i === 1234 ? 0.748 : 1;
  let analysis: FactorAnalysis;
  beforeAll(async () => {
    analysis = await sampleAnalysis();
  });

  const days = Array.from({ length: DAYS }, (_, i) => new Date(Date.UTC(2010, 0, 1 + i)));
  const column = (name: string, of: (i: number) => number) =>
    pl.Series(name, days.map((_, i) => of(i)), pl.Float64);
  const constant = (name: string, of: number) =>
    pl.Series(name, days.map(() => of), name === "one_way_bps" ? pl.Float64 : pl.Int32);
  const session = pl.Series("session", days, pl.Date);
  const date = pl.Series("date", days, pl.Date);
  const withDetail = (detail: object) =>
    withMembers(analysis, { detail: withMembers(analysis.detail, detail) });
  const drawnIn = (spec: unknown, field: string) => {
    const found: number[] = [];
    JSON.stringify(spec, (key, inner) => {
      if (key === field && typeof inner === "number") found.push(inner);
      return inner;
    });
    return found;
  };

  test("is drawn by cumulativeReturnChart(), as deep as its caption says", () => {
    const wealth = pl.concat([0, 5].map((rate) =>
      pl.DataFrame([
        date,
        constant("one_way_bps", rate),
        column("wealth", fallAt),
        column("drawdown", (i) => fallAt(i) - 1),
      ])
    ));
    const { spec, description } = cumulativeReturnChart(
      withDetail({ cumulativeNetReturns: wealth }),
    );
    expect(description).toMatch(/25\.2 ?%/);
    expect(Math.min(...drawnIn(spec, "w0"))).toBe(0.748);
    expect(Math.min(...drawnIn(spec, "below"))).toBe(-0.252);
  });

  test("is drawn by cumulativeReturnChart() for the line after costs, which its title names first", () => {
    const deepest = new Map([[0, 0.1], [5, 0.2], [10, 0.3], [20, 0.4]]);
    const wealth = pl.concat([...deepest].map(([rate, depth]) =>
      pl.DataFrame([
        date,
        constant("one_way_bps", rate),
        column("wealth", (i) => i === 1234 ? 1 - depth : 1),
        column("drawdown", (i) => i === 1234 ? -depth : 0),
      ])
    ));
    const { spec, description } = cumulativeReturnChart(
      withDetail({ cumulativeNetReturns: wealth }),
    );
    expect(description).toContain(
      "1.00 net of 10 bps one way (maximum drawdown 30.0%), 1.00 before costs (maximum drawdown 10.0%)",
    );
    expect(JSON.stringify(spec)).toContain("Below: drawdown net of 10 bps one way");
    expect(Math.min(...drawnIn(spec, "below"))).toBe(-0.3);
  });

  test("is drawn by cumulativeQuantileReturnChart() in each line", () => {
    const cumulativeQuantileReturns = pl.concat([1, 2, 3, 4, 5].map((quantile) =>
      pl.DataFrame([
        date,
        constant("quantile", quantile),
        column("wealth", (i) => quantile === 2 ? fallAt(i) : 1),
        column("all_names", () => 1),
        column("relative", (i) => quantile === 4 ? fallAt(i + 1) : 1),
      ])
    ));
    const { spec } = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    expect(Math.min(...drawnIn(spec, "w2"))).toBe(0.748);
    expect(Math.min(...drawnIn(spec, "r4"))).toBe(0.748);
  });

  test("is drawn by icChart(), in points and in means", () => {
    const horizon = constant("horizon", 1);
    const means = (of: number) =>
      ["mean", "low", "high"].map((name) => column(name, (i) => i === 1234 ? of : 0.0001));
    const ic = pl.DataFrame([
      session,
      horizon,
      column("ic", (i) => i === 1234 ? -0.9 : 0.01),
      constant("n", 5),
    ]);
    const rollingIc = pl.DataFrame([session, horizon, ...means(-0.5)]);
    const drawn = icChart(withMembers(withDetail({ rollingIc }), { ic })).spec;
    expect(Math.min(...drawnIn(drawn, "low"))).toBe(-0.9);
    expect(Math.min(...drawnIn(drawn, "mean"))).toBe(-0.5);
  });
});
