import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  type AnalysisChartOptions,
  readSubject,
  sessionsText,
} from "../grammar/analysis_subject.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { BUCKET_AXIS } from "./_bucket_axis.ts";
import { groupedView } from "./_grouped_view.ts";
import { panelName, panelWidth } from "./_panels.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { meanOf, numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const BASIS_POINTS = 10_000;
const BAND_PX = 18;
const TIPS = [
  tip("quantile", "bucket"),
  tip("mean", "mean, bps", ".2f"),
  tip("low", "95 % from", ".2f"),
  tip("high", "to", ".2f"),
  tip("sessions", "sessions", ",d"),
  tip("all", "all names, bps", ".2f"),
  tip("names", "names a session", ".1f"),
];

/** Options of {@link quantileChart}. */
export interface QuantileChartOptions extends AnalysisChartOptions {
  /**
   * Whether the means of all horizons are divided by their sessions and stand beside each other on one axis.
   *
   * @default false: the return over each horizon, in a picture of its own
   */
  readonly perSession?: boolean;
}

/**
 * Draws the mean return of each bucket with its 95 % interval, horizon by horizon, and beneath it how many names a bucket has.
 * With `perSession` all horizons stand beside each other on one axis, each mean over the sessions of its horizon. The subtitle says whether returns rise from bucket to bucket.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width, and whether means are for each session
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { quantileChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = quantileChart(analysis);
 * if (!chart.description.includes("from the lowest to the highest bucket")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function quantileChart(
  analysis: FactorAnalysis,
  options: QuantileChartOptions = {},
): Chart {
  const perSession = options.perSession === true;
  const title = perSession ? "Returns by quantile, for each session" : "Returns by quantile";
  const subject = readSubject(analysis, options, { title, also: ["perSession"] });
  const rows = rowsOf(analysis.quantileReturns).map((row) => toBar(row, perSession));
  const { periods } = analysis.aligned;
  const rising = describeRising(analysis);
  const bars = perSession
    ? "Bars: mean return in basis points over the sessions of the horizon"
    : "Bars: mean return in basis points";
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, `${bars}, lines: 95 %, dashes: all names. ${rising}`],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${
      describe(rows, { periods, unit: perSession ? "bps a session" : "bps" })
    } ${rising}.`,
    views: [
      perSession
        ? groupedView(rows, { periods, width: subject.widthPx, tips: TIPS })
        : panels(rows, { periods, width: panelWidth(subject.widthPx, periods.length) }),
    ],
  });
}

function toBar(row: Row, perSession: boolean): Row {
  const over = perSession ? numberIn(row, "horizon") : 1;
  const bps = (value: number) => toValue(BASIS_POINTS * value / over);
  return {
    horizon: row["horizon"]!,
    quantile: row["quantile"]!,
    ...Object.fromEntries(["mean", "low", "high"].map((name) => [name, bps(numberIn(row, name))])),
    // The mean return of all names of the same sessions: what a bucket has beyond the market is above this.
    all: bps(numberIn(row, "mean") - numberIn(row, "mean_excess")),
    names: toValue(row["names"]),
    sessions: row["sessions"]!,
  };
}

function panels(
  rows: readonly Row[],
  { periods, width }: { readonly periods: readonly number[]; readonly width: number },
): ChartSpec {
  return {
    spacing: 24,
    hconcat: periods.map((horizon) =>
      panel(rows.filter((row) => row["horizon"] === horizon), horizon, width)
    ),
  };
}

function panel(rows: readonly Row[], horizon: number, width: number): ChartSpec {
  const bars = {
    width,
    height: 180,
    layer: [
      {
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.75 },
        encoding: {
          x: { ...BUCKET_AXIS, title: null },
          y: quantity("mean", { title: "bps" }),
          tooltip: TIPS,
        },
      },
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", strokeWidth: 1.5 },
        encoding: {
          x: { ...BUCKET_AXIS, title: null },
          y: { field: "low", type: "quantitative" },
          y2: { field: "high" },
        },
      },
      ruleAt(0),
      {
        mark: { type: "tick", color: OTHER_COLOR, thickness: 2, bandSize: BAND_PX },
        encoding: { x: { ...BUCKET_AXIS, title: null }, y: { field: "all", type: "quantitative" } },
      },
      panelName(sessionsText(horizon)),
    ],
  };
  return {
    name: `horizon_${horizon}`,
    data: { values: rows },
    vconcat: [bars, namesView(width)],
    spacing: 6,
  };
}

function namesView(width: number): ChartSpec {
  return {
    width,
    height: 46,
    mark: { type: "bar", color: QUIET_COLOR, opacity: 0.8 },
    encoding: {
      x: BUCKET_AXIS,
      y: quantity("names", { title: "names", axis: { tickCount: 2 } }),
      tooltip: TIPS,
    },
  };
}

function describeRising({ monotonicity }: FactorAnalysis): string {
  const steps = rowsOf(monotonicity.steps).filter((row) => row["horizon"] === 1);
  const rising = steps.filter((row) => numberIn(row, "low") > 0).length;
  const p = numberIn(rowsOf(monotonicity.table).find((row) => row["horizon"] === 1), "union_p");
  const said =
    `${rising} of ${steps.length} steps between buckets are rising beyond error at 1 session`;
  return Number.isNaN(p) ? said : `${said}; that they are not everywhere rising: ${pPhrase(p)}`;
}

function describe(
  rows: readonly Row[],
  { periods, unit }: { readonly periods: readonly number[]; readonly unit: string },
): string {
  return periods.map((horizon) => {
    const own = rows.filter((row) => row["horizon"] === horizon);
    const bps = own.map((row) =>
      Number.isNaN(numberIn(row, "mean")) ? "none" : decimals(numberIn(row, "mean"), 1)
    );
    const all = meanOf(own.map((row) => numberIn(row, "all")));
    const market = all === null ? "" : `; all names have ${decimals(all, 1)} ${unit}`;
    return `At ${sessionsText(horizon)} the means from the lowest to the highest bucket are ${
      bps.join(", ")
    } ${unit}${market}.`;
  }).join(" ");
}
