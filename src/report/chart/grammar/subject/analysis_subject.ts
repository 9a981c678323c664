import { periodText, sampleText } from "../../../../base/wording/period_text.ts";
import { wrongKind } from "../../../../base/arguments/list_text.ts";
import type { FactorAnalysis } from "../../../../analysis/factor/factor_analysis.ts";
import {
  among,
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

/** Options of every chart. */
export interface ChartOptions {
  /**
   * Title.
   *
   * @default the finding, in a sentence with its interval
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
}

/** Parsed options, title and footnote of a chart of an analysis. */
export interface AnalysisSubject extends ChartSubject {
  /** The horizon of the chart, the first of several. */
  readonly horizon: number;
  readonly horizons: readonly number[];
  /** Name of a period of the prices: session, month. */
  readonly unit: string;
}

/**
 * Reads what a chart of an analysis is given.
 *
 * @param about Name of the chart, beneath its title
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon, or the width is not a number of pixels
 */
export function readSubject(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number | "all" },
  about: string,
  { of = "all sessions", also = {} }: {
    /** Numbers and horizons of the chart; ICs have a least number of stocks. @default all sessions */
    readonly of?: "all sessions" | "ICs" | "a horizon" | "each horizon";
    /** Rules of the chart's own options. */
    readonly also?: Readonly<Record<string, OptionRule>>;
  } = {},
): AnalysisSubject {
  const action = "draw a chart of an analysis";
  assertAnalysis(action, analysis);
  const { aligned: { periods, timing, market }, origin, detail } = analysis;
  const one = among(periods);
  const rules = {
    "all sessions": {},
    ICs: {},
    "a horizon": { horizon: one },
    "each horizon": { horizon: either(one, exactly("all")) },
  };
  checkOptions(action, options, { title: TEXT, widthPx: PIXELS, ...rules[of], ...also });
  const { title, widthPx = 640, horizon = periods[0]! } = options;
  const horizons = horizon === "all" ? periods : [horizon];
  const held = origin.heldOut === undefined ? "" : `. ${heldOutText(origin.heldOut)}`;
  const ahead = `, ${countText(horizons[0]!, "session")} ahead`;
  const isOfIc = of !== "all sessions" || hasStocks(analysis);
  return {
    title,
    about: "horizon" in rules[of] && horizon !== "all" ? `${about}${ahead}` : about,
    widthPx,
    horizons,
    horizon: horizons[0]!,
    sample: sampleOf(analysis),
    unit: market.unit,
    whyNoIc: isOfIc ? detail.whyNoIc.get(horizons[0]!) : undefined,
    footnote: `${origin.what}; ${entryText(timing)}${held}`,
    ...origin.isSynthetic && { synthetic: "all" },
  };
}

/** False if no session has the least number of stocks, which is a rule of ICs alone. */
function hasStocks({ ic, plan }: FactorAnalysis): boolean {
  const most = ic.getColumn("n").toArray().reduce<number>((max, n) => Math.max(max, n!), 0);
  return most === 0 || most >= plan.minNames;
}

function assertAnalysis(action: string, analysis: FactorAnalysis): void {
  const { aligned, detail }: Partial<FactorAnalysis> = analysis ?? {};
  if (aligned !== undefined && detail !== undefined) return;
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
