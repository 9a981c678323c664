import { DAY_MS } from "../../base/calendar/civil_date.ts";
import pl, { type DataType } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { SessionSeries } from "../../analysis/inference/tested_mean.ts";
import { tableSeries } from "../../analysis/inference/table_series.ts";
import { testDifference } from "../../analysis/series/read_series.ts";
import { netOf, readTraded, USUAL_RATE } from "../../analysis/series/costs/costs.ts";
import { wealthOf } from "../../analysis/series/wealth/cumulative_returns.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  intervalText,
} from "../../base/wording/number_text.ts";
import { andText } from "../../base/wording/words.ts";
import type { Chart } from "../chart/chart.ts";
import type { ChartSpec } from "../chart/chart_spec.ts";
import {
  crosshair,
  looksBy,
  meanTips,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
} from "../chart/grammar/encodings.ts";
import { growthAxis } from "../chart/grammar/log_axis.ts";
import { inPeriods, layOutChart } from "../chart/grammar/subject/lay_out_finding.ts";
import { thinRows } from "../chart/grammar/thin_rows.ts";
import { type Row, rowsOf, toValue } from "../chart/grammar/values.ts";
import { mark } from "../chart/mark.ts";
import { DASHES, SERIES_COLORS } from "../chart/palette.ts";

const WIDTH_PX = 640;
const MOST_ROWS = 420;

/** Series by session that two analyses have in common: the IC and the spread at each horizon, and the net return. */
function seriesOf({ ic, spread, portfolio, aligned: { dense: { days } } }: FactorAnalysis) {
  const ics = tableSeries(ic, days, { value: "ic" });
  const spreads = tableSeries(spread.data, days, { value: "spread" });
  const net = `net return at ${USUAL_RATE} bps, bps`;
  return [
    ...ics.map((one) => ({ what: "rank IC", unit: 1, of: one })),
    ...spreads.map((one) => ({ what: "quantile spread, bps", unit: BASIS_POINTS, of: one })),
    { what: net, unit: BASIS_POINTS, of: netReturns(portfolio) },
  ];
}

/** Returns of a portfolio after the usual cost. */
function netReturns(portfolio: FactorAnalysis["portfolio"]): SessionSeries {
  const { series, traded } = readTraded("compare portfolios", portfolio);
  return { ...series, values: netOf(series, traded, USUAL_RATE) };
}

/** Differences of each later analysis from the first, with the sentences of the first horizon. */
export function differencesOf(shown: readonly FactorAnalysis[], names: readonly string[]) {
  const [first = [], ...others] = shown.map(seriesOf);
  const { unit: period } = shown[0]!.aligned.market;
  const rows = others.flatMap((own, i) =>
    own.flatMap(({ what, unit, of }) => {
      const same = first.find((one) => one.what === what && one.of.horizon === of.horizon);
      if (same === undefined) return [];
      const { mean, low, high, p, n, reason } = testDifference(of, same.of);
      const by = (value: number | null) => value === null ? null : unit * value;
      const numbers = { mean: by(mean), low: by(low), high: by(high), p, n, reason };
      return [{ pair: `${names[i + 1]} minus ${names[0]}`, what, horizon: of.horizon, ...numbers }];
    })
  );
  const sentences = rows.filter((row) => row.horizon === rows[0]?.horizon && row.mean !== null)
    .map(({ pair, what, horizon, mean, low, high, n }) => {
      const decimals = what === "rank IC" ? 3 : 1;
      const zero = low !== null && low <= 0 && high! >= 0 ? ", which includes zero" : "";
      return `${pair}: ${what} at ${countText(horizon, period)} ${decimalText(mean!, decimals)} ` +
        `(${intervalText([low, high], decimals)}${zero}; ${countText(n, period)}).`;
    });
  const column = (name: keyof typeof rows[number], type: DataType) =>
    pl.Series(name, rows.map((row) => row[name]), type);
  const table = pl.DataFrame([
    column("pair", pl.Utf8),
    column("what", pl.Utf8),
    ...(["horizon", "mean", "low", "high", "p", "n"] as const).map((name) =>
      column(name, pl.Float64)
    ),
    column("reason", pl.Utf8),
  ]);
  return { table, sentences };
}

/** Names of which none is that of another. */
export function distinctNames(names: readonly string[]): readonly string[] {
  return names.map((name, i) => names.indexOf(name) < i ? `${name} (${i + 1})` : name);
}

/** Growth of 1 after costs of all, and their mean ICs with intervals, on one axis each. */
export function chartOfAll(shown: readonly FactorAnalysis[], given: readonly string[]): Chart {
  const names = distinctNames(given);
  const growth = shown.map((analysis, i) => growthOf(analysis, names[i]!));
  const means = shown.flatMap((analysis, i) =>
    rowsOf(analysis.summary.table, ["horizon", "mean", "low", "high", "sessions"])
      .map((row): Row => ({ ...row, name: names[i]! }))
  );
  const ends = growth.map((rows, i) => {
    const end = rows.at(-1)?.["wealth"];
    return `${names[i]} ${typeof end === "number" ? decimalText(end, 2) : "none"}`;
  });
  const title = `Growth of 1, net of ${USUAL_RATE} bps one way: ${andText(ends)}`;
  const lines = "Below: mean rank IC by horizon with its 95% confidence interval";
  return layOutChart({
    title,
    subtitle: () => [lines],
    footnote: "",
    describe: (head) => head === null ? `${lines}.` : `${head}. ${lines}.`,
    widthPx: WIDTH_PX,
    views: [growthView(growth.flat(), names), meansView(means, names)]
      .map((view) => inPeriods(view, shown[0]!.aligned.market.unit)),
  });
}

function growthOf({ portfolio }: FactorAnalysis, name: string): readonly Row[] {
  const { days, values } = netReturns(portfolio);
  const rows = Array.from(wealthOf(values), (wealth, i): Row => (
    { session: toValue(new Date(days[i]! * DAY_MS)), wealth: toValue(wealth), name }
  ));
  return thinRows(rows, ["wealth"], MOST_ROWS).rows;
}

function growthView(rows: readonly Row[], names: readonly string[]): ChartSpec {
  const by = (looks: readonly unknown[]) => looksBy("name", names, looks);
  const [x, color, strokeDash] = [sessionAxis(), by(SERIES_COLORS), by(DASHES)];
  const y = growthAxis("wealth", "growth of 1, net", rows.map((row) => row["wealth"]));
  const tooltip = [sessionTip(), tip("name", "analysis"), tip("wealth", "growth of 1", ".4f")];
  const layer = [
    ruleAt(1),
    mark("line", { strokeWidth: 1.6, x, y, color, strokeDash }),
    crosshair("hover_growth", { x, tooltip }),
  ];
  return { width: WIDTH_PX, height: 200, data: { values: rows }, layer };
}

function meansView(rows: readonly Row[], names: readonly string[]): ChartSpec {
  const title = "horizon in periods";
  const x = { field: "horizon", type: "ordinal", title, axis: { labelAngle: 0 } };
  const place = { x, xOffset: { field: "name", type: "nominal", sort: names } };
  const color = looksBy("name", names, SERIES_COLORS, { legend: null });
  const y = (field: string) => quantity(field, { title: "mean rank IC" });
  const tooltip = [tip("name", "analysis"), ...meanTips("mean IC")];
  const layer = [
    mark("rule", { ...place, y: y("low"), y2: "high", color, strokeWidth: 1.5 }),
    mark("point", { ...place, filled: true, size: 60, y: y("mean"), color, tooltip }),
    ruleAt(0),
  ];
  return { width: WIDTH_PX, height: 130, data: { values: rows }, layer };
}
