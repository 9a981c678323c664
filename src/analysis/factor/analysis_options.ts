import { checkOption, checkOptions, oneOf } from "../../base/arguments/check_options.ts";
import { isPlainObject } from "../../base/contract/is_object.ts";
import { describe } from "../../base/contract/violation.ts";
import type { AlignOptions } from "../aligned/align_options.ts";
import { DEFAULT_PERIODS } from "../aligned/prices/default_periods.ts";
import type { ForwardReturnsOptions } from "../aligned/prices/forward_returns.ts";
import { type PriceMarketOptions, readSessionRules } from "../aligned/prices/price_market.ts";
import { readMinNames } from "../cross_section/read_options.ts";
import type { FactorWeightsOptions } from "../portfolio/factor_weights.ts";
import { BOOK_OPTIONS, type BookRules, readBookRules } from "../portfolio/book/book_rules.ts";
import { givenList } from "../../base/arguments/given_list.ts";
import { readWholes } from "../../base/arguments/read_wholes.ts";
import { readRates } from "../series/costs/read_rates.ts";
import type { NeutralizeOptions } from "../transform/neutralize.ts";
import { TrialLog } from "../trial_log/trial_log.ts";
import type { PlaceboOptions } from "../series/placebo_shifts.ts";

/** Options of {@link analyzeFactor}. */
export interface AnalyzeFactorOptions extends
  PriceMarketOptions,
  Pick<
    AlignOptions,
    | "score"
    | "entry"
    | "delayMs"
    | "groups"
    | "statuses"
    | "maxAgeSessions"
    | "where"
    | "maxLoss"
    | "workers"
  >,
  BookRules {
  /**
   * Horizons in sessions; 1 is always included.
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
   * Placebo of shifted scores, for comparison with the mean IC, and the permutation test; `false` for neither.
   *
   * @default 199 shifts with seed 1
   */
  readonly placebo?: PlaceboOptions | false;
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
const NAMES = [
  ...[
    "score",
    "entry",
    "delayMs",
    "groups",
    "calendar",
    "statuses",
    "maxAgeSessions",
    "where",
    "maxLoss",
    "workers",
  ],
  ...["periods", "returns", "quantiles", "minNames", "lags", "placebo", "oneWayBps", "trialLog"],
  ...["signal", "progress", "frequency", "periodsPerYear", "what", "neutral", "weighting"],
  ...BOOK_OPTIONS,
];

/** Options of an analysis, with all defaults filled in. */
export interface AnalysisPlan {
  /** Horizons in sessions, ascending, 1 included. */
  readonly periods: readonly number[];
  /** Number of quantiles. */
  readonly quantiles: number;
  /** Minimum number of stocks for the IC of a session. */
  readonly minNames: number;
  /** Lags of the decay, in sessions. */
  readonly lags: readonly number[];
  /** Shifted copies of the scores; `null` for none. */
  readonly placebo: PlaceboOptions | null;
  /** Rules for assigning scores to sessions. */
  readonly align: AlignOptions;
  /** Rebalancing of the portfolio and its weights between rebalancings. */
  readonly book: Required<BookRules>;
  /** Weights of the portfolio. */
  readonly weighting: NonNullable<FactorWeightsOptions["weighting"]>;
}

/**
 * Reads the options of an analysis.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If a number is out of range
 */
export function planAnalysis(options: AnalyzeFactorOptions): AnalysisPlan {
  refuseByGroup(options);
  checkOptions(ACTION, options, NAMES);
  const { frequency } = readSessionRules(ACTION, options);
  const usual = DEFAULT_PERIODS[frequency];
  const { quantiles = 5, placebo = {}, weighting = "factor" } = options;
  checkOption(ACTION, "weighting", weighting, oneOf("factor", "rank", "equal", "quantile"));
  const periods = readWholes(ACTION, options.periods ?? usual.periods, PERIODS);
  const allLags = Array.from({ length: usual.lastLag }, (_, i) => i + 1);
  const lags = readWholes(ACTION, options.lags ?? allLags, LAGS);
  if (!Number.isSafeInteger(quantiles) || quantiles < 2) {
    throw new RangeError(
      `Cannot ${ACTION}: expected quantiles to be a whole number of at least 2, got ${
        givenList(quantiles)
      }`,
    );
  }
  assertPlacebo(placebo);
  assertParts(options);
  return {
    periods: [...new Set([1, ...periods])].sort((a, b) => a - b),
    quantiles,
    minNames: readMinNames(ACTION, options.minNames),
    lags,
    placebo: placebo === false ? null : placebo,
    align: alignOptions(options),
    book: readBookRules("analyse a factor", options),
    weighting,
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

const PERIODS = { name: "periods", unit: "sessions", example: "[1, 5, 21]" };
const LAGS = { name: "lags", unit: "sessions", example: "[1, 5, 21, 63]" };

function assertPlacebo(placebo: unknown): void {
  if (placebo === false || isPlainObject(placebo)) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected placebo to be false or an object such as { draws: 199, seed: 1 }, got ` +
      describe(placebo),
  );
}

// A wrong option of the last step is refused before minutes are spent on the earlier ones.
function assertParts(
  { returns, trialLog, signal, progress, oneWayBps, what, neutral }: AnalyzeFactorOptions,
): void {
  if (oneWayBps !== undefined) readRates(ACTION, oneWayBps);
  const rules = [
    [
      "returns",
      returns,
      isPlainObject(returns),
      'options of forwardReturns() such as { ended: "null" }',
    ],
    [
      "trialLog",
      trialLog,
      trialLog instanceof TrialLog,
      "the result of trialLog(), which takes a folder",
    ],
    ["what", what, typeof what === "string", "text"],
    [
      "neutral",
      neutral,
      isPlainObject(neutral),
      'columns such as { group: "sector", on: ["beta"] }',
    ],
    ["signal", signal, signal instanceof AbortSignal, "an AbortSignal"],
    ["progress", progress, typeof progress === "boolean", "true or false"],
  ] as const;
  for (const [name, value, isRight, required] of rules) {
    if (value === undefined || isRight) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected ${name} to be ${required}, got ${describe(value)}`,
    );
  }
}

function alignOptions(options: AnalyzeFactorOptions): AlignOptions {
  const { score, entry, delayMs, groups, statuses, maxAgeSessions, where, maxLoss } = options;
  const { workers } = options;
  const all = { score, entry, delayMs, groups, statuses, maxAgeSessions, where, maxLoss, workers };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Options of the forward returns: horizons, market of the prices, and the rest as given. */
export function returnsOptions(
  options: AnalyzeFactorOptions,
  { periods }: AnalysisPlan,
): ForwardReturnsOptions {
  const { frequency, calendar, periodsPerYear, returns } = options;
  const market = Object.entries({ frequency, calendar, periodsPerYear });
  return {
    ...returns,
    periods,
    ...Object.fromEntries(market.filter(([, value]) => value !== undefined)),
  };
}
