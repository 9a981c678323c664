import { describeSteps } from "../../../analysis/series/monotonicity.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { FLAG } from "../../../base/arguments/check_options.ts";
import { andText } from "../../../base/wording/words.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  intervalText,
} from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  BUCKET_AXIS,
  intervalTips,
  looksBy,
  quantity,
  type QuantityOptions,
  tip,
} from "../grammar/encodings.ts";
import { barsWithIntervals } from "../grammar/interval_view.ts";
import { mark, type MarkOptions } from "../mark.ts";
import { inBasisPoints } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanOfKnown, numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { ALL_COLOR, bucketColors, QUIET_COLOR, SERIES_COLORS } from "../palette.ts";

const PLACE = { x: { ...BUCKET_AXIS, title: null } };
const EXCESS_ENDS = ["excess_low", "excess_high"] as const;
const EXCESS =
  "Bars: mean return minus that of all stocks in basis points, lines: 95% confidence intervals";
const ABSOLUTE =
  "Bars: mean return in basis points, lines: 95% confidence intervals, dashes: all stocks";
const RULES = { perSession: FLAG, absolute: FLAG };
const TIPS = [
  tip("quantile", "quantile"),
  tip("excess", "minus all stocks, bps", ".2f"),
  ...intervalTips(".2f", EXCESS_ENDS),
  tip("mean", "mean, bps", ".2f"),
  ...intervalTips(".2f"),
  tip("sessions", "sessions", ",d"),
  tip("names", "stocks per session", ".1f"),
];
const GAP_PX = 60;

/**
 * Draws the mean return of each quantile minus that of all stocks with its 95% confidence interval, horizon by horizon, and beneath it
 * the number of stocks of each quantile. The market return of a session is common to all quantiles and drops out, so that the intervals are
 * those of the differences. With `absolute` the returns themselves are drawn; with `perSession` all horizons stand beside each other on one
 * axis, each mean over the sessions of its horizon.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width; `perSession` and `absolute`, both false by default
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
 *   progress: false,
 * });
 * const chart = quantileChart(analysis);
 * if (!chart.description.includes("from the lowest to the highest quantile")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function quantileChart(
  analysis: FactorAnalysis,
  options: ChartOptions & {
    readonly perSession?: boolean;
    readonly absolute?: boolean;
  } = {},
): Chart {
  const { perSession = false, absolute = false } = options;
  const what = absolute ? "Returns by quantile" : "Returns by quantile minus all stocks";
  const about = perSession ? `${what}, per session` : what;
  const subject = readSubject(analysis, options, about, { also: RULES });
  const { aligned: { periods }, plan: { quantiles: count } } = analysis;
  const rows = rowsOf(analysis.quantileReturns).map((row) => toBar(row, perSession));
  const panels = periods.map((horizon) => rows.filter((row) => row.horizon === horizon))
    .filter((own) =>
      own.some(({ quantile, mean }) => mean !== null && [1, count].includes(quantile))
    );
  const [first] = panels;
  if (first === undefined) {
    return layOutNothing(subject, "neither the top nor the bottom quantile has a return");
  }
  const steps = describeSteps(analysis.monotonicity.tables.steps.toRecords());
  const rising = steps === null ? [] : [steps.statement];
  const unit = perSession ? "bps per session" : "bps";
  const room = GAP_PX * (panels.length - 1);
  const width = perSession ? subject.widthPx : Math.floor((subject.widthPx - room) / panels.length);
  const plan = { absolute, width, count, periods };
  return layOutFinding(subject, {
    finding: findingOf(analysis, first[0]!.horizon),
    subtitle: [absolute ? ABSOLUTE : EXCESS, ...untestedText(panels, absolute)],
    details: [...panels.map((own) => describe(own, unit, absolute)), ...rising].join(" "),
    views: [
      perSession
        ? groupedView(rows, plan)
        : { spacing: 24, hconcat: panels.map((own) => panel(own, plan)) },
    ],
  });
}

interface Plan {
  readonly absolute: boolean;
  readonly width: number;
  /** Number of quantiles. */
  readonly count: number;
  readonly periods: readonly number[];
}

/** Mean returns of a quantile in basis points, with their intervals. */
export type Bar = ReturnType<typeof toBar>;

/** Reads a row of mean returns. */
export function toBar(row: Row, perSession = false) {
  const over = perSession ? numberIn(row, "horizon") : 1;
  const bps = (value: number) => toValue(BASIS_POINTS * value / over) as number | null;
  const of = (name: string) => bps(numberIn(row, name));
  return {
    horizon: numberIn(row, "horizon"),
    quantile: numberIn(row, "quantile"),
    mean: of("mean"),
    low: of("low"),
    high: of("high"),
    excess: of("mean_excess"),
    excess_low: of("excess_low"),
    excess_high: of("excess_high"),
    // The mean return of all stocks in the same sessions: a quantile above it beats the market.
    all: bps(numberIn(row, "mean") - numberIn(row, "mean_excess")),
    names: row["names"]!,
    sessions: row["sessions"]!,
  };
}

function untestedText(panels: readonly (readonly Bar[])[], absolute: boolean): readonly string[] {
  const untested = panels
    .filter((own) => own.every((row) => (absolute ? row.low : row.excess_low) === null))
    .map(([row]) => countText(row!.horizon, "session"));
  return untested.length === 0
    ? []
    : [`At ${andText(untested)} there are too few non-overlapping returns for an interval`];
}

/** The quantile spread at a horizon. */
function findingOf({ spread, plan }: FactorAnalysis, horizon: number): string {
  const row = inBasisPoints(rowsOf(spread.summary).find((one) => one.horizon === horizon));
  const at = `at ${countText(horizon, "session")}`;
  const mean = numberIn(row, "mean");
  if (Number.isNaN(mean)) {
    return `No session has both quantile ${plan.quantiles} and quantile 1 ${at}`;
  }
  const interval = intervalText([numberIn(row, "low"), numberIn(row, "high")], 1);
  return `Quantile ${plan.quantiles} minus quantile 1: ${decimalText(mean, 1)} bps ${at} ` +
    `(${interval}), ${countText(numberIn(row, "sessions"), "session")}`;
}

/** Bars and intervals of the means, and dashes for all stocks beside means that are absolute. */
export function barLayers(
  { rows, place = PLACE, absolute = false, axis = { title: "bps" }, dashPx = 18, ...look }: {
    /** Channels of the place of a bar. @default that of its quantile */
    readonly place?: ChartSpec;
    readonly absolute?: boolean;
    /** Vertical axis. @default basis points */
    readonly axis?: QuantityOptions;
    /** Width of a dash. */
    readonly dashPx?: number;
  } & MarkOptions,
): readonly ChartSpec[] {
  const ends = absolute ? undefined : EXCESS_ENDS;
  const y = quantity(absolute ? "mean" : "excess", axis);
  const bars = barsWithIntervals({ rows, ...place, y, tooltip: TIPS, ...look, ends });
  const tick = { rows, color: ALL_COLOR, thickness: 2, bandSize: dashPx, ...place };
  const all = { field: "all", type: "quantitative" };
  return absolute ? [...bars, mark("tick", { ...tick, y: all })] : bars;
}

/** Bars of one horizon, and beneath them the number of stocks. */
function panel(rows: readonly Bar[], { absolute, width, count }: Plan): ChartSpec {
  const { horizon } = rows[0]!;
  const sizes = rows.map((row) => groupThousands(numberIn(row, "sessions") || 0));
  const n = new Set(sizes).size === 1 ? sizes[0] : sizes.join(" · ");
  const text = `${countText(horizon, "session")}, n = ${n}`;
  // A title would stand at the height of the highest axis label, which differs between panels.
  const above = { type: "text", text, fontWeight: "bold", fontSize: 11, y: -12 };
  const name = { data: { values: [{}] }, mark: above };
  const layer = [...barLayers({ absolute, color: quantileColor(count) }), name];
  const names = quantity("names", { title: "stocks", axis: { tickCount: 2 } });
  const look = { color: QUIET_COLOR, opacity: 0.8, tooltip: TIPS };
  return {
    name: `horizon_${horizon}`,
    data: { values: rows },
    vconcat: [
      { width, height: 180, layer },
      { width, height: 46, ...mark("bar", { ...look, x: BUCKET_AXIS, y: names }) },
    ],
    spacing: 6,
  };
}

/** Bars of all horizons beside each other on one axis. */
function groupedView(rows: readonly Bar[], { periods, absolute, width }: Plan): ChartSpec {
  return {
    width,
    height: 180,
    layer: barLayers({
      rows: rows.map((row) => ({ ...row, ahead: String(row.horizon) })),
      absolute,
      dashPx: 0.8 * width / Math.max(1, rows.length),
      axis: { title: "bps per session" },
      opacity: 0.85,
      place: { x: BUCKET_AXIS, xOffset: horizonOffset(periods) },
      color: byHorizon(periods),
      tooltip: [tip("horizon", "horizon"), ...TIPS],
    }),
  };
}

/** Places of horizons beside each other, by their names in the column `ahead`. */
export function horizonOffset(periods: readonly number[]): ChartSpec {
  return { field: "ahead", type: "nominal", sort: periods.map(String) };
}

/** Colours of horizons, by the same names. */
export function byHorizon(periods: readonly number[]): ChartSpec {
  const looks = periods.map((_, i) => SERIES_COLORS[i % SERIES_COLORS.length]!);
  return looksBy("ahead", periods.map(String), looks, { title: "horizon in sessions" });
}

/** Colour of a quantile, equal to that of its lines. */
export function quantileColor(count: number): ChartSpec {
  return {
    field: "quantile",
    type: "ordinal",
    legend: null,
    scale: { domain: Array.from({ length: count }, (_, i) => i + 1), range: bucketColors(count) },
  };
}

function describe(rows: readonly Bar[], unit: string, absolute: boolean): string {
  const drawn = rows.map(({ mean, excess }) => absolute ? mean : excess);
  const bps = drawn.map((value) => value === null ? "none" : decimalText(value, 1));
  const all = meanOfKnown(rows.map((row) => numberIn(row, "all")));
  const market = all === null ? "" : `; the mean of all stocks is ${decimalText(all, 1)} ${unit}`;
  const over = absolute ? "" : " minus that of all stocks";
  return `At ${countText(rows[0]!.horizon, "session")} the mean returns${over} from the lowest ` +
    `to the highest quantile are ${bps.join(", ")} ${unit}${market}.`;
}
