import type { DataFrame } from "nodejs-polars";
import { wrongKind } from "../../base/arguments/list_text.ts";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { noteCall } from "../../base/runtime/export_mark.ts";
import { USUAL_QUANTILES } from "../cross_section/buckets/quantize_options.ts";
import { RATES } from "../series/costs/costs.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { ALIGN_RULES, type AlignOptions } from "../aligned/sessions/place_rows.ts";
import {
  DEFAULT_PERIODS,
  type ForwardReturnsOptions,
  PERIODS,
} from "../aligned/prices/forward_returns.ts";
import {
  givenOptions,
  MARKET_RULES,
  type PriceMarketOptions,
  readSessionRules,
} from "../aligned/prices/price_market.ts";
import { BOOK_RULES, type BookRules, bookRules } from "../portfolio/book/carry_book.ts";
import type { NeutralizeOptions } from "../transform/neutralize.ts";
import { TRIAL_LOG, type TrialLog } from "../trial_log.ts";

const READ = "analyse a factor";
const CALL = "write analyzeFactor(scores, prices)";

/**
 * Refuses anything but scores and prices.
 *
 * @throws {TypeError} If one of them is missing or not a frame, or the two are swapped
 * @throws {RangeError} If one of them has no row
 */
export function assertInputs(scores: unknown, prices: unknown): asserts scores is DataFrame {
  if (prices === undefined) {
    throw wrongKind(READ, prices, {
      expected: "prices beside the scores",
      advice: `${CALL} with a frame of date, ticker and close, or the path of a file of them`,
    });
  }
  assertRows(READ, scores, "scores");
  if (typeof prices !== "string") assertRows(`${READ} with these prices`, prices, "prices");
  if (typeof prices !== "string" && areSwapped(scores, prices as DataFrame)) {
    throw wrongKind(READ, scores, {
      expected: "scores first and prices second",
      advice: `these are prices; ${CALL}`,
    });
  }
}

function areSwapped({ columns }: DataFrame, prices: DataFrame): boolean {
  if (!columns.includes("close")) return false;
  const hasScore = prices.columns.some((name) => name === "score" || name.endsWith("_score"));
  return hasScore && !prices.columns.includes("close");
}

/** Options of {@link analyzeFactor}. */
export interface AnalyzeFactorOptions extends
  PriceMarketOptions,
  Pick<
    AlignOptions,
    | "score"
    | "direction"
    | "entry"
    | "delay"
    | "delayMs"
    | "groups"
    | "statuses"
    | "maxAgeSessions"
    | "where"
    | "universe"
    | "maxLoss"
  >,
  BookRules {
  /**
   * Horizons in sessions; the shortest is the headline.
   *
   * @default [1, 5, 21]; for weekly prices [1, 4, 13], for monthly ones [1, 3, 12]
   */
  readonly periods?: number | readonly number[];
  /**
   * Options of the forward returns, except their horizons.
   *
   * @default close to close; null where a close is missing, and up to the last close of a stock that is delisted
   */
  readonly returns?: Omit<ForwardReturnsOptions, "periods" | keyof PriceMarketOptions>;
  /**
   * Number of quantiles.
   *
   * @default 5
   */
  readonly quantiles?: number;
  /**
   * Weights of the portfolio, as in {@link factorWeights}: `"factor"`, `"rank"`, `"equal"` or `"quantile"` (long the top quantile,
   * short the bottom one). ICs and quantile returns do not depend on it.
   *
   * @default "factor"
   */
  readonly weighting?: "factor" | "rank" | "equal" | "quantile";
  /**
   * Lags of the decay, in sessions.
   *
   * @default 1 to 63; for weekly prices 1 to 26, for monthly ones 1 to 24
   */
  readonly lags?: number | readonly number[];
  /**
   * Minimum number of stocks with a score and a return for the IC of a session.
   *
   * @default 10
   */
  readonly minNames?: number;
  /**
   * One-way costs in basis points.
   *
   * @default [0, 5, 10, 20, 50]
   */
  readonly oneWayBps?: number | readonly number[];
  /**
   * Trial log of the tests.
   *
   * @default a new one in memory
   */
  readonly trialLog?: TrialLog;
  /**
   * Column of groups and numeric columns against which the scores are neutralised first, as {@link neutralize} does:
   * `{ group: "sector", on: ["beta"] }`. `where` restricts this regression too.
   *
   * @default the scores as given
   */
  readonly neutral?: Pick<NeutralizeOptions, "group" | "on">;
  /**
   * Name of this variant of the scores, such as "five-session change", for charts and the trial log.
   *
   * @default the factor and its release or sets; the condition of `where` is always added
   */
  readonly what?: string;
  /**
   * Stops the analysis.
   *
   * @default the stop button of a notebook
   */
  readonly signal?: AbortSignal;
  /**
   * Shows a progress bar.
   *
   * @default true
   */
  readonly progress?: boolean;
}

const ACTION = "analyse a factor";
const { calendar: _, compat: _compat, columns: _columns, ...ALIGN } = ALIGN_RULES;
/** Accepted options of an analysis. */
const ANALYSIS_RULES: rules.OptionRules<AnalyzeFactorOptions> = {
  ...ALIGN,
  ...MARKET_RULES,
  ...BOOK_RULES,
  periods: PERIODS,
  returns: rules.objectLike('{ ended: "null" }'),
  quantiles: rules.whole(2),
  weighting: rules.oneOf("factor", "rank", "equal", "quantile"),
  lags: rules.wholes("sessions", "[1, 5, 21, 63]"),
  minNames: MIN_NAMES,
  oneWayBps: RATES,
  trialLog: TRIAL_LOG,
  neutral: rules.objectLike('{ group: "sector", on: ["beta"] }'),
  what: rules.TEXT,
  signal: rules.SIGNAL,
  progress: rules.FLAG,
};

/** Options of an analysis, with all defaults filled in. */
export interface AnalysisPlan {
  /** Horizons in sessions, ascending. */
  readonly periods: readonly number[];
  /** Number of quantiles. */
  readonly quantiles: number;
  /** Minimum number of stocks for the IC of a session. */
  readonly minNames: number;
  /** Lags of the decay, in sessions. */
  readonly lags: readonly number[];
  /** Rules for assigning scores to sessions. */
  readonly align: AlignOptions;
  /** Rebalancing of the portfolio and its weights between rebalancings. */
  readonly book: Required<BookRules>;
  /** Weights of the portfolio. */
  readonly weighting: NonNullable<AnalyzeFactorOptions["weighting"]>;
}

/**
 * Reads the options of an analysis.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If a number is out of range
 */
export function planAnalysis(options: AnalyzeFactorOptions): AnalysisPlan {
  refuseByGroup(options);
  rules.checkOptions(ACTION, options, ANALYSIS_RULES);
  noteCall("analyzeFactor", options);
  const { frequency } = readSessionRules(ACTION, options);
  const usual = DEFAULT_PERIODS[frequency];
  const { quantiles = USUAL_QUANTILES, weighting = "factor" } = options;
  const { minNames = DEFAULT_MIN_NAMES } = options;
  const periods = [options.periods ?? usual.periods].flat();
  const allLags = Array.from({ length: usual.lastLag }, (_, i) => i + 1);
  const lags = [options.lags ?? allLags].flat();
  return {
    periods: [...new Set(periods)].sort((a, b) => a - b),
    quantiles,
    lags,
    weighting,
    minNames,
    align: givenOptions<AlignOptions>(options, ALIGN),
    book: bookRules(options),
  };
}

// by_group and group_neutral of alphalens correspond to three options here.
function refuseByGroup(options: object): void {
  const given = ["byGroup", "groupNeutral"].find((name) => Object.hasOwn(options ?? {}, name));
  if (given === undefined) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected groups or neutral, got "${given}"; { groups } gives ICs and quantile returns of each group, ` +
      '{ neutral: { group: "sector" } } scores that are neutral to it, and quantize(aligned, { by: "group" }) quantiles within groups',
  );
}

/** Options of the forward returns: horizons, market of the prices, and the rest as given. */
export function returnsOptions(
  options: AnalyzeFactorOptions,
  { periods }: AnalysisPlan,
): ForwardReturnsOptions {
  return {
    ...options.returns,
    ...givenOptions<PriceMarketOptions>(options, MARKET_RULES),
    // The portfolio needs one session.
    periods: [...new Set([1, ...periods])].sort((a, b) => a - b),
  };
}
