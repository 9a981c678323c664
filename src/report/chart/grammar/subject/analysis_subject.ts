import { periodText, sampleText } from "../../../../base/wording/period_text.ts";
import { wrongKind } from "../../../../base/arguments/list_text.ts";
import type { FactorAnalysis } from "../../../../analysis/factor/factor_analysis.ts";
import {
  among,
  checkOption,
  checkOptions,
  either,
  exactly,
  type OptionRule,
  PIXELS,
  TEXT,
} from "../../../../base/arguments/check_options.ts";
import type { ChartSubject } from "./lay_out_finding.ts";
import { entryText } from "../../../../base/wording/sentences/timing_text.ts";
import { heldOutText } from "../../../../base/wording/sentences/held_out_text.ts";
import { countText } from "../../../../base/wording/number_text.ts";

/** Options of charts of an analysis. */
export interface AnalysisChartOptions {
  /**
   * Title.
   *
   * @default the finding, in a sentence with its interval; synthetic rows are marked in the footnote of every chart
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
}

/** Options of charts that show one horizon. */
export interface HorizonChartOptions extends AnalysisChartOptions {
  /**
   * Horizon in sessions, one of the analysis.
   *
   * @default the shortest
   */
  readonly horizon?: number;
}

/** Options of charts that show one horizon or all of them. */
export interface AllHorizonsChartOptions extends AnalysisChartOptions {
  /**
   * Horizon in sessions, one of the analysis; "all" for each of them, in pictures of their own.
   *
   * @default the shortest
   */
  readonly horizon?: number | "all";
}

/** Parsed options, title and footnote of a chart of an analysis. */
export interface AnalysisSubject extends ChartSubject {
  readonly horizon: number;
  /** Name of a period of the prices: session, month. */
  readonly unit: string;
}

/**
 * Reads what a chart of an analysis is given.
 *
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon, or the width is not a number of pixels
 */
export function readSubject(
  analysis: FactorAnalysis,
  options: HorizonChartOptions,
  { about, hasHorizon = false, also = {} }: {
    /** Name of the chart, beneath its title. */
    readonly about: string;
    readonly hasHorizon?: boolean;
    /** Rules of the chart's own options. */
    readonly also?: Readonly<Record<string, OptionRule>>;
  },
): AnalysisSubject {
  const action = "draw a chart of an analysis";
  assertAnalysis(action, analysis);
  const { periods } = analysis.aligned;
  const one = among(periods);
  const own = hasHorizon ? { horizon: one } : {};
  checkOptions(action, options, { title: TEXT, widthPx: PIXELS, ...own, ...also });
  const { title, widthPx = 640, horizon = periods[0]! } = options;
  checkOption(action, "horizon", horizon, one);
  const { origin } = analysis;
  const why = analysis.detail.whyNoIc.get(horizon);
  const entry = entryText(analysis.aligned.timing);
  const synthetic = origin.isSynthetic ? ". Synthetic rows" : "";
  const held = origin.heldOut === undefined
    ? ""
    : `. ${heldOutText(origin.heldOut).replace(/\.$/, "")}`;
  return {
    title,
    about: hasHorizon ? `${about}, ${countText(horizon, "session")} ahead` : about,
    widthPx,
    horizon,
    sample: sampleOf(analysis),
    unit: analysis.aligned.market.unit,
    // The least number of stocks is a rule of ICs alone.
    whyNoIc: /\bIC\b/.test(about) || !why?.includes("minNames") ? why : undefined,
    footnote: `${origin.what}; ${entry}${held}${synthetic}`,
  };
}

/**
 * Reads what a chart of one or of all horizons is given.
 *
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon, or the width is not a number of pixels
 */
export function readHorizons(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions,
  about: { readonly about: string },
): AnalysisSubject & { readonly horizons: readonly number[] } {
  const { horizon, ...others } = options;
  const { periods } = analysis.aligned ?? { periods: [] };
  const also = { horizon: either(among(periods), exactly("all")) };
  if (horizon === "all") {
    return { ...readSubject(analysis, others, { ...about, also }), horizons: periods };
  }
  const one = options as HorizonChartOptions;
  const subject = readSubject(analysis, one, { ...about, also, hasHorizon: true });
  return { ...subject, horizons: [subject.horizon] };
}

function assertAnalysis(action: string, analysis: FactorAnalysis): void {
  const given = analysis as Partial<FactorAnalysis> | null | undefined;
  if (given?.aligned !== undefined && given.detail !== undefined) return;
  throw wrongKind(action, analysis, {
    expected: "the result of analyzeFactor()",
    advice: "await analyzeFactor(scores, prices) gives it",
  });
}

/** Sessions, period and tickers, as in the subtitle of each chart. */
export function sampleOf(
  { aligned: { dense, tickers, sessions, market } }: FactorAnalysis,
): string {
  const own = sessions.slice(dense.from, Math.max(dense.from, dense.to));
  return periodText(sampleText(own, tickers), market.unit);
}
