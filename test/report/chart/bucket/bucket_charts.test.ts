import pl from "nodejs-polars";
import { withMembers } from "../../../helpers/with_members.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import {
  type Chart,
  cumulativeQuantileReturnChart,
  quantileChart,
} from "../../../../src/report/chart/mod.ts";
import { sampleAnalysis } from "../../../helpers/sample_analysis.ts";

type Rows = readonly Readonly<Record<string, number | string | null>>[];

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

/** The analysis with tables of the test's own, whose columns the compiler does not know. */
function withDetail(
  detail: Partial<Record<keyof FactorAnalysis["detail"], pl.DataFrame>>,
): FactorAnalysis {
  return withMembers(analysis, { detail: withMembers(analysis.detail, detail) });
}

function datasetsOf(chart: Chart): Readonly<Record<string, Rows>> {
  return chart.spec.datasets as Readonly<Record<string, Rows>>;
}

/** A table of 2,600 sessions with so many rows each. */
function longTable(columns: readonly string[], rows: (day: number) => readonly unknown[][]) {
  const all = Array.from({ length: 2600 }, (_, i) => {
    const session = new Date(Date.UTC(2010, 0, 1 + i));
    return rows(i).map((row) => [session, ...row]);
  }).flat();
  return pl.DataFrame([
    pl.Series(
      columns.includes("wealth") ? "date" : "session",
      all.map(([session]) => session),
      pl.Date,
    ),
    ...columns.map((name, i) =>
      pl.Series(
        name,
        all.map((row) => row[i + 1]),
        /horizon|quantile|n_/.test(name) ? pl.Int32 : pl.Float64,
      )
    ),
  ]);
}

describe("cumulativeQuantileReturnChart()", () => {
  test("says what became of each bucket and of all names, as the table has it", () => {
    const last = analysis.detail.cumulativeQuantileReturns.filter(pl.col("quantile").eq(pl.lit(5)))
      .filter(pl.col("wealth").isNotNull()).toRecords().at(-1)!;
    const { description } = cumulativeQuantileReturnChart(analysis);
    expect(description).toContain(
      `${Number(last["wealth"]).toFixed(3)} in quantile 5, the highest scores ` +
        `(${Number(last["relative"]).toFixed(3)} relative to all stocks)`,
    );
    expect(description).toContain(
      "One-session returns, equal weights, quantiles formed anew with new scores",
    );
  });

  test("leaves a gap where a bucket has no return", async () => {
    const cumulativeQuantileReturns = analysis.detail.cumulativeQuantileReturns.withColumns(
      pl.when(pl.col("quantile").eq(pl.lit(2))).then(pl.lit(null)).otherwise(pl.col("wealth"))
        .alias("wealth"),
    );
    const chart = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    expect(datasetsOf(chart)["wealth"]!.every((row) => row["w2"] === null)).toBe(true);
    expect(chart.description).toContain("quantile 2 has no return");
    expect(await chart.toSvg()).not.toContain("NaN");
  });

  test("says of how many sessions a bucket without a return in each is", () => {
    const table = analysis.detail.cumulativeQuantileReturns;
    const days = table.getColumn("date").unique().sort().toArray() as unknown as Date[];
    const cumulativeQuantileReturns = table.withColumns(
      pl.when(pl.col("quantile").eq(pl.lit(1)).and(pl.col("date").gt(pl.lit(days[2]))))
        .then(pl.lit(null)).otherwise(pl.lit(1.5)).alias("wealth"),
    );
    const chart = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    // The first row is the entry.
    const total = `over ${days.length - 1} sessions before costs`;
    expect(chart.description).toMatch(
      new RegExp(
        `^Growth of 1: 1.50 in quantile 5 and 1.50 in quantile 1 \\(2 sessions\\), .*${total}`,
      ),
    );
    expect(chart.description).toMatch(/ 1\.500 in quantile 1, [^(]*\(2 sessions; /);
  });

  test("stays below 100 kB over ten years, and says which sessions are drawn", () => {
    const names = ["quantile", "wealth", "all_names", "relative"];
    const cumulativeQuantileReturns = longTable(
      names,
      (i) => [1, 2, 3, 4, 5].map((q) => [q, Math.exp(q * i / 9999), 1.0123456, 1 / (q + i)]),
    );
    const chart = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    expect(JSON.stringify(chart.spec).length).toBeLessThan(100_000);
    expect(JSON.stringify(chart.spec.title)).toMatch(/Of every \d+ sessions/);
  });

  test.each([
    [1.3, [0.8, 0.9, 1, 1.1, 1.2, 1.3]],
    [1.04, [0.8, 0.85, 0.9, 0.95, 1]],
    [30, [1, 2, 5, 10, 20]],
    [2e6, [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]],
  ])("has round numbers on its logarithmic axis, 1 among them, up to %d", (top, ticks) => {
    const cumulativeQuantileReturns = longTable(
      ["quantile", "wealth", "all_names", "relative"],
      (i) => i > 1 ? [] : [[1, i === 0 ? 0.8 : 1, 1, 1], [5, i === 0 ? 1 : top, 1, 1]],
    );
    const { spec } = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    const [{ vconcat: [wealth] }] = spec.vconcat as [{ vconcat: [{ layer: readonly Layer[] }] }];
    expect(wealth.layer[1]!.encoding.y.axis.values).toEqual(ticks);
  });

  test("has nothing to draw where there is no return", async () => {
    const cumulativeQuantileReturns = analysis.detail.cumulativeQuantileReturns.head(0);
    const chart = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    expect(chart.description).toMatch(/^Nothing to draw: /);
    expect(await chart.toSvg()).not.toMatch(/NaN|Infinity/);
  });
});

describe("quantileChart({ perSession: true })", () => {
  test("puts all horizons on one axis, each mean over its sessions", () => {
    const chart = quantileChart(analysis, { perSession: true });
    const [{ layer: [bars] }] = chart.spec.vconcat as [{ layer: readonly [Layer] }];
    const { quantileReturns } = analysis;
    const row = quantileReturns.filter(pl.col("horizon").eq(pl.lit(5))).toRecords()[0]!;
    const drawn = bars.data.values.find((one) => one["horizon"] === 5 && one["quantile"] === 1)!;
    expect(drawn["mean"]).toBeCloseTo(10_000 * Number(row["mean"]) / 5, 4);
    expect(drawn["high"]).toBeCloseTo(10_000 * Number(row["high"]) / 5, 4);
    expect(chart.description).toContain("bps per session");
    expect(JSON.stringify(chart.spec)).toContain('"xOffset"');
  });
});

interface Layer {
  readonly data: { readonly values: Rows };
  readonly encoding: { readonly y: { readonly axis: { readonly values: readonly number[] } } };
}
