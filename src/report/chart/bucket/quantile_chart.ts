import { FLAG } from "../../../base/arguments/check_options.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { quantity, type QuantityOptions, ruleAt, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { whiskers } from "../grammar/interval_view.ts";
import { inBasisPoints } from "../grammar/mean_phrase.ts";
import { BUCKET_AXIS } from "../grammar/bucket_axis.ts";
import { groupedView } from "./_grouped_view.ts";
import { panelName, panelWidth } from "./_panels.ts";
import { ALL_COLOR, bucketColors, QUIET_COLOR } from "../palette.ts";
import { meanOfKnown, numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { stepsText } from "../../../base/wording/sentences/quantile_text.ts";
import { andText } from "../../../base/wording/and_text.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  intervalText,
} from "../../../base/wording/number_text.ts";

const BAND_PX = 18;
const EXCESS =
  "Bars: mean return minus that of all stocks in basis points, lines: 95% confidence intervals";
const ABSOLUTE =
  "Bars: mean return in basis points, lines: 95% confidence intervals, dashes: all stocks";
const TIPS = [
  tip("quantile", "quantile"),
  tip("excess", "minus all stocks, bps", ".2f"),
  tip("excess_low", "95% CI from", ".2f"),
  tip("excess_high", "to", ".2f"),
  tip("mean", "mean, bps", ".2f"),
  tip("low", "95% CI from", ".2f"),
  tip("high", "to", ".2f"),
  tip("sessions", "sessions", ",d"),
  tip("names", "stocks per session", ".1f"),
];

/** Options of {@link quantileChart}. */
export interface QuantileChartOptions extends AnalysisChartOptions {
  /**
   * True if the means of all horizons are divided by their sessions and stand beside each other on one axis.
   *
   * @default false: the return over each horizon, in a picture of its own
   */
  readonly perSession?: boolean;
  /**
   * True for the returns themselves, with those of all stocks as dashes.
   *
   * @default false: minus the mean of all stocks of the session, which has a narrower interval
   */
  readonly absolute?: boolean;
}

/**
 * Draws the mean return of each quantile minus that of all stocks with its 95% confidence interval, horizon by horizon, and beneath it
 * the number of stocks of each quantile. The market return of a session is common to all quantiles and drops out, so that the intervals are
 * those of the differences. With `absolute` the returns themselves are drawn; with `perSession` all horizons stand beside each other on one
 * axis, each mean over the sessions of its horizon.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width, and which means
 * @throws {TypeError} If it is not an analysis, or an option is unknown
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
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = quantileChart(analysis);
 * if (!chart.description.includes("from the lowest to the highest quantile")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function quantileChart(
  analysis: FactorAnalysis,
  options: QuantileChartOptions = {},
): Chart {
  const { perSession = false, absolute = false } = options;
  const what = absolute ? "Returns by quantile" : "Returns by quantile minus all stocks";
  const subject = readSubject(analysis, options, {
    about: perSession ? `${what}, per session` : what,
    also: { perSession: FLAG, absolute: FLAG },
  });
  const rows = rowsOf(analysis.quantileReturns).map((row) => toBar(row, perSession));
  const { periods } = analysis.aligned;
  const shown = periods.filter((horizon) => hasEnds(rows, horizon, analysis.plan.quantiles));
  if (shown.length === 0) {
    return layOutNothing(subject, "neither the top nor the bottom quantile has a return");
  }
  const rising = describeRising(analysis);
  const drawn = { field: absolute ? "mean" : "excess", all: absolute } as const;
  return layOutFinding(subject, {
    finding: findingOf(analysis, shown[0]!),
    subtitle: [absolute ? ABSOLUTE : EXCESS, ...untestedText(rows, shown, absolute), rising],
    details: `${
      describe(rows, { periods: shown, unit: perSession ? "bps per session" : "bps" })
    } ${rising}`,
    views: [
      perSession
        ? groupedView(rows, { periods, width: subject.widthPx, tips: TIPS, ...drawn })
        : panels(rows, {
          ...drawn,
          periods: shown,
          width: panelWidth(subject.widthPx, shown.length),
          count: analysis.plan.quantiles,
        }),
    ],
  });
}

function untestedText(
  rows: readonly Row[],
  horizons: readonly number[],
  absolute: boolean,
): readonly string[] {
  const low = absolute ? "low" : "excess_low";
  const untested = horizons.filter((horizon) =>
    rows.every((row) => row["horizon"] !== horizon || row[low] === null)
  );
  if (untested.length === 0) return [];
  const at = andText(untested.map((horizon) => countText(horizon, "session")));
  return [`At ${at} there are too few non-overlapping returns for an interval`];
}

function hasEnds(rows: readonly Row[], horizon: number, count: number): boolean {
  return rows.some((row) =>
    row["horizon"] === horizon && row["mean"] !== null &&
    (row["quantile"] === 1 || row["quantile"] === count)
  );
}

/** The quantile spread at a horizon. */
function findingOf({ spread, plan }: FactorAnalysis, horizon: number): string {
  const row = inBasisPoints(
    rowsOf(spread.summary).find((one) => one["horizon"] === horizon),
  );
  const at = `at ${countText(horizon, "session")}`;
  const mean = numberIn(row, "mean");
  if (Number.isNaN(mean)) {
    return `No session has both quantile ${plan.quantiles} and quantile 1 ${at}`;
  }
  const interval = intervalText([numberIn(row, "low"), numberIn(row, "high")], 1);
  return `Quantile ${plan.quantiles} minus quantile 1: ${
    decimalText(mean, 1)
  } bps ${at} (${interval}), ${countText(numberIn(row, "sessions"), "session")}`;
}

/** Mean returns of a quantile in basis points, with their intervals. */
export function toBar(row: Row, perSession = false): Row {
  const over = perSession ? numberIn(row, "horizon") : 1;
  const bps = (value: number) => toValue(BASIS_POINTS * value / over);
  return {
    horizon: row["horizon"]!,
    quantile: row["quantile"]!,
    ...Object.fromEntries(
      ["mean", "low", "high", "excess_low", "excess_high"].map((name) => [
        name,
        bps(numberIn(row, name)),
      ]),
    ),
    excess: bps(numberIn(row, "mean_excess")),
    // The mean return of all stocks in the same sessions: a quantile above it beats the market.
    all: bps(numberIn(row, "mean") - numberIn(row, "mean_excess")),
    names: toValue(row["names"]),
    sessions: row["sessions"]!,
  };
}

interface BarsPlan {
  /** Number of quantiles. */
  readonly count: number;
  /** The mean that is drawn. */
  readonly field: "mean" | "excess";
  /** True if the mean of all stocks is drawn. @default false */
  readonly all?: boolean;
  /** Vertical axis. @default basis points */
  readonly axis?: QuantityOptions;
}

interface PanelsPlan extends BarsPlan {
  readonly periods: readonly number[];
  readonly width: number;
}

function panels(rows: readonly Row[], plan: PanelsPlan): ChartSpec {
  return {
    spacing: 24,
    hconcat: plan.periods.map((horizon) =>
      panel(rows.filter((row) => row["horizon"] === horizon), horizon, plan)
    ),
  };
}

function panel(rows: readonly Row[], horizon: number, plan: PanelsPlan): ChartSpec {
  const sessions = rows.reduce((most, row) => Math.max(most, numberIn(row, "sessions") || 0), 0);
  const name = panelName(`${countText(horizon, "session")}, n = ${groupThousands(sessions)}`);
  const bars = { width: plan.width, height: 180, layer: [...barLayers(plan), name] };
  return {
    name: `horizon_${horizon}`,
    data: { values: rows },
    vconcat: [bars, namesView(plan.width)],
    spacing: 6,
  };
}

/** Bars of the mean returns of quantiles, above them their intervals. */
export function barLayers(
  { count, field, all = false, axis = { title: "bps" } }: BarsPlan,
): readonly ChartSpec[] {
  const x = { ...BUCKET_AXIS, title: null };
  const [low, high] = field === "mean"
    ? ["low", "high"] as const
    : ["excess_low", "excess_high"] as const;
  const y = quantity(field, axis);
  return [
    { mark: { type: "bar" }, encoding: { x, y, color: quantileColor(count), tooltip: TIPS } },
    ruleAt(0),
    ...whiskers({ x }, { low, high }),
    ...all
      ? [{
        mark: { type: "tick", color: ALL_COLOR, thickness: 2, bandSize: BAND_PX },
        encoding: { x, y: { field: "all", type: "quantitative" } },
      }]
      : [],
  ];
}

/** Colour of a quantile, equal to that of its lines. */
function quantileColor(count: number): ChartSpec {
  return {
    field: "quantile",
    type: "ordinal",
    legend: null,
    scale: { domain: Array.from({ length: count }, (_, i) => i + 1), range: bucketColors(count) },
  };
}

function namesView(width: number): ChartSpec {
  return {
    width,
    height: 46,
    mark: { type: "bar", color: QUIET_COLOR, opacity: 0.8 },
    encoding: {
      x: BUCKET_AXIS,
      y: quantity("names", { title: "stocks", axis: { tickCount: 2 } }),
      tooltip: TIPS,
    },
  };
}

function describeRising({ monotonicity }: FactorAnalysis): string {
  const [ladder] = rowsOf(monotonicity.table);
  const horizon = numberIn(ladder, "horizon");
  const steps = rowsOf(monotonicity.steps).filter((row) => row["horizon"] === horizon);
  const isFalling = steps.reduce((sum, row) => sum + numberIn(row, "mean"), 0) < 0;
  const clear =
    steps.filter((row) => isFalling ? numberIn(row, "high") < 0 : numberIn(row, "low") > 0).length;
  return stepsText({
    ...{ horizon, isFalling, clear, steps: steps.length, sessions: numberIn(ladder, "n") },
    p: numberIn(ladder, isFalling ? "union_p_falling" : "union_p"),
  });
}

function describe(
  rows: readonly Row[],
  { periods, unit }: { readonly periods: readonly number[]; readonly unit: string },
): string {
  return periods.map((horizon) => {
    const own = rows.filter((row) => row["horizon"] === horizon);
    const bps = own.map((row) =>
      Number.isNaN(numberIn(row, "mean")) ? "none" : decimalText(numberIn(row, "mean"), 1)
    );
    const all = meanOfKnown(own.map((row) => numberIn(row, "all")));
    const market = all === null ? "" : `; the mean of all stocks is ${decimalText(all, 1)} ${unit}`;
    return `At ${
      countText(horizon, "session")
    } the mean returns from the lowest to the highest quantile are ${
      bps.join(", ")
    } ${unit}${market}.`;
  }).join(" ");
}
