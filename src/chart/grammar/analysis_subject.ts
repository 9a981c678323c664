import { wrongKind } from "../../arguments/wrong_kind.ts";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";

/** Options of charts of an analysis. */
export interface AnalysisChartOptions {
  /**
   * Title.
   *
   * @default what is shown; synthetic rows are marked in the footnote of every chart
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
   * @default 1
   */
  readonly horizon?: number;
}

/** Options of charts that show one horizon or all of them. */
export interface AllHorizonsChartOptions extends AnalysisChartOptions {
  /**
   * Horizon in sessions, one of the analysis; "all" for each of them, in pictures of their own.
   *
   * @default 1
   */
  readonly horizon?: number | "all";
}

/** Options as they were read, and what stands around a chart of an analysis. */
export interface AnalysisSubject {
  readonly title: string;
  readonly widthPx: number;
  readonly horizon: number;
  /** Sessions, period, tickers. */
  readonly sample: string;
  /** Factor, release or sets, and whether the rows are synthetic. */
  readonly footnote: string;
}

/**
 * Reads what a chart of an analysis is given.
 *
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon, or the width is no number of pixels
 */
export function readSubject(
  analysis: FactorAnalysis,
  options: HorizonChartOptions,
  { title: defaultTitle, hasHorizon = false, also = [] }: {
    readonly title: string;
    readonly hasHorizon?: boolean;
    /** Names of options that the chart reads itself. */
    readonly also?: readonly string[];
  },
): AnalysisSubject {
  const action = "draw a chart of an analysis";
  assertAnalysis(action, analysis);
  const names = ["title", "widthPx", ...(hasHorizon ? ["horizon"] : []), ...also];
  assertKnownOptions(action, options, names);
  const { title = defaultTitle, widthPx = 640, horizon = 1 } = options;
  assertWidth(action, widthPx);
  const { periods } = analysis.aligned;
  if (!periods.includes(horizon)) {
    throw new RangeError(
      `Cannot ${action}: a horizon of the analysis is required, ${
        periods.join(", ")
      }, got ${horizon}`,
    );
  }
  const { origin } = analysis;
  const entry = analysis.aligned.entry === "next"
    ? "entered at the next close"
    : "entered at the close of the decision";
  const synthetic = origin.isSynthetic ? ". Synthetic rows" : "";
  return {
    title: hasHorizon ? `${title}, ${sessionsText(horizon)} ahead` : title,
    widthPx,
    horizon,
    sample: sampleOf(analysis),
    footnote: `${origin.what}; ${entry}${synthetic}`,
  };
}

/**
 * Reads what a chart of one or of all horizons is given.
 *
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon, or the width is no number of pixels
 */
export function readHorizons(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions,
  about: { readonly title: string },
): AnalysisSubject & { readonly horizons: readonly number[] } {
  if (options.horizon === "all") {
    const { horizon: _, ...others } = options;
    const subject = readSubject(analysis, others, { ...about, also: ["horizon"] });
    return { ...subject, horizons: analysis.aligned.periods };
  }
  const one = options as HorizonChartOptions;
  const subject = readSubject(analysis, one, { ...about, hasHorizon: true });
  return { ...subject, horizons: [subject.horizon] };
}

/** Refuses a width that is none. */
export function assertWidth(action: string, widthPx: number): void {
  if (Number.isFinite(widthPx) && widthPx >= 50 && widthPx <= 5000) return;
  throw new RangeError(
    `Cannot ${action}: widthPx is a number of pixels from 50 to 5,000, got ${widthPx}`,
  );
}

/** `1 session`, `21 sessions`. */
export function sessionsText(count: number): string {
  return count === 1 ? "1 session" : `${groupThousands(count)} sessions`;
}

function assertAnalysis(action: string, analysis: FactorAnalysis): void {
  const given = analysis as Partial<FactorAnalysis> | null | undefined;
  if (given?.aligned !== undefined && given.detail !== undefined) return;
  throw wrongKind(action, analysis, {
    expected: "the result of analyzeFactor()",
    advice: "await analyzeFactor(scores, prices) gives it",
  });
}

function sampleOf({ aligned: { dense, sessions } }: FactorAnalysis): string {
  const count = Math.max(0, dense.to - dense.from);
  const span = count === 0 ? "" : `, ${sessions[dense.from]} to ${sessions[dense.to - 1]}`;
  return `${sessionsText(count)}${span}, ${groupThousands(dense.tickers.length)} tickers`;
}
