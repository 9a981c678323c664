import pl from "nodejs-polars";
import { withMembers } from "../../../helpers/with_members.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import {
  type Chart,
  cumulativeQuantileReturnChart,
  quantileChart,
  quantileDistributionChart,
  spreadChart,
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

function picturesOf({ spec }: Chart) {
  const [{ vconcat }] = spec.vconcat as [{ vconcat: readonly Picture[] }];
  return vconcat;
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
    expect(chart.description).toContain(" after the last session of each year: ");
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

  test("names each line at its end, names apart from each other", () => {
    const cumulativeQuantileReturns = longTable(
      ["quantile", "wealth", "all_names", "relative"],
      (i) => i > 1 ? [] : [1, 2, 3, 4, 5].map((q) => [q, 1 + i * (q === 5 ? 1 : 0.001 * q), 1, 1]),
    );
    const { spec } = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    const [{ vconcat: [wealth] }] = spec.vconcat as [{ vconcat: [{ layer: readonly Layer[] }] }];
    const ends = wealth.layer[2]!.data.values;
    expect(ends.map(({ label }) => label)).toEqual(["1", "2", "3", "4", "5"]);
    const places = ends.map(({ at }) => Math.log(Number(at)) / Math.log(2) * 178);
    for (const [i, place] of places.entries()) {
      expect(place - (places[i - 1] ?? -Infinity)).toBeGreaterThan(9.9);
    }
  });

  test("has nothing to draw where there is no return", async () => {
    const cumulativeQuantileReturns = analysis.detail.cumulativeQuantileReturns.head(0);
    const chart = cumulativeQuantileReturnChart(withDetail({ cumulativeQuantileReturns }));
    expect(chart.description).toMatch(/^Nothing to draw: /);
    expect(await chart.toSvg()).not.toMatch(/NaN|Infinity/);
  });
});

describe("spreadChart()", () => {
  test("states mean, interval and share above zero of the horizon, as the summary has them", () => {
    const row = analysis.spread.summary.toRecords().find((one) => one["horizon"] === 5)!;
    const { description } = spreadChart(analysis, { horizon: 5 });
    expect(description).toContain("5 sessions ahead");
    expect(description).toContain(
      `Quantile spread ${(10_000 * Number(row["mean"])).toFixed(1)} bps (95% CI `,
    );
    expect(description).toContain(
      `at 5 sessions, above zero in 72% of ${row["sessions"]} sessions.`,
    );
    expect(description).toMatch(/the 60-session mean ranges from .* to .*; latest/);
  });

  test("draws all horizons one below the other, each with its own window", () => {
    const chart = spreadChart(analysis, { horizon: "all" });
    expect(picturesOf(chart).map(({ name }) => name)).toEqual(
      ["horizon_1", "horizon_5", "horizon_21"],
    );
    expect(JSON.stringify(chart.spec.title)).toContain("mean of the last 21, 60, 252 sessions");
    // 140 sessions hold no 12 windows of 21.
    expect(chart.description).toContain("no window of 252 sessions is complete");
  });

  test("keeps a session without both buckets as a gap", () => {
    const data = analysis.spread.data.withColumns(
      pl.when(pl.col("n_top").gt(pl.lit(1))).then(pl.lit(null)).otherwise(pl.col("spread"))
        .alias("spread"),
    );
    const own = withMembers(analysis, { spread: { ...analysis.spread, data } });
    const points = picturesOf(spreadChart(own))[0]!.layer[0]!.data.values;
    expect(points).toHaveLength(140);
    expect(points.some((row) => row["value"] === null)).toBe(true);
  });

  test("stays below 100 kB over ten years and three horizons", () => {
    const data = longTable(
      ["horizon", "spread", "n_top", "n_bottom"],
      (i) => [1, 5, 21].map((h) => [h, Math.sin(i * h) / 97, 12, 13]),
    );
    const rollingSpread = longTable(
      ["horizon", "mean", "low", "high", "n_window"],
      (i) => [1, 5, 21].map((h) => [h, Math.sin(i) / 97, -0.0123456, 0.0123456, 21]),
    ).rename({ n_window: "window" });
    const long = withMembers(withDetail({ rollingSpread }), {
      spread: { ...analysis.spread, data },
    });
    for (const horizon of [1, "all"] as const) {
      const { spec } = spreadChart(long, { horizon });
      expect(JSON.stringify(spec).length).toBeLessThan(100_000);
      expect(JSON.stringify(spec.title)).toMatch(
        /Grey: lowest to highest of every \d+ sessions/,
      );
    }
  });

  test("refuses a horizon that the analysis does not have", () => {
    expect(() => spreadChart(analysis, { horizon: 2 })).toThrow(RangeError);
    expect(() => spreadChart(analysis, { horizon: "each" as "all" })).toThrow(RangeError);
  });
});

describe("quantileDistributionChart()", () => {
  /** Five sessions in bucket 1: −40, −20, 0, 20 and 40 bps beyond all names; nothing else. */
  const five = () => {
    const values = [-0.004, -0.002, 0, 0.002, 0.004];
    return withDetail({
      quantileSessions: pl.DataFrame([
        pl.Series("session", values.map((_, i) => `2026-01-0${i + 1}`), pl.Utf8),
        pl.Series("horizon", values.map(() => 1), pl.Int32),
        pl.Series("quantile", values.map(() => 1), pl.Int32),
        pl.Series("mean", values.map(() => 0.01), pl.Float64),
        pl.Series("mean_excess", values, pl.Float64),
      ]),
    });
  };

  test("states the middle 50%, the middle 90% and the median of each bucket in words", () => {
    const { description } = quantileDistributionChart(five());
    expect(description).toContain(
      "At 1 session the interquartile range in bps is −20 to 20 (median 0.0) in quantile 1, " +
        "the 5th to 95th percentile −36 to 36 in quantile 1; " +
        "0 of 5 values lie beyond the axis; all values reach from −40 to 40 bps.",
    );
    expect(description).toMatch(/At 5 sessions [^.]* no return\./);
  });

  test("counts each value in a bin, or as outside", () => {
    const { spec, description } = quantileDistributionChart(analysis);
    const outside = [...description.matchAll(/(\d+) of (\d+) values lie beyond the axis/g)];
    const [{ hconcat }] = spec.vconcat as [{ hconcat: readonly { layer: readonly Layer[] }[] }];
    expect(outside).toHaveLength(3);
    for (const [i, { layer }] of hconcat.entries()) {
      const drawn = layer[1]!.data.values.reduce((sum, row) => sum + Number(row["sessions"]), 0);
      expect(drawn + Number(outside[i]![1])).toBe(Number(outside[i]![2]));
    }
  });

  test("stays below 100 kB with ten buckets over ten years", () => {
    const quantileSessions = longTable(
      ["horizon", "quantile", "mean_excess"],
      (i) =>
        [1, 5, 21].flatMap((h) =>
          Array.from({ length: 10 }, (_, q) => [h, q + 1, Math.sin(i * h * (q + 1)) / 97])
        ),
    );
    const long = withMembers(withDetail({ quantileSessions }), {
      plan: { ...analysis.plan, quantiles: 10 },
    });
    const { spec } = quantileDistributionChart(long);
    expect(JSON.stringify(spec).length).toBeLessThan(100_000);
  });

  test("has nothing to draw where there is no return", async () => {
    const quantileSessions = analysis.detail.quantileSessions.head(0);
    const chart = quantileDistributionChart(withDetail({ quantileSessions }));
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

interface Picture {
  readonly name: string;
  readonly layer: readonly Layer[];
}

interface Layer {
  readonly data: { readonly values: Rows };
  readonly encoding: { readonly y: { readonly axis: { readonly values: readonly number[] } } };
}
