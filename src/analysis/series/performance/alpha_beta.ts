import { COMPAT } from "../../cross_section/read_options.ts";
import { TEST_VALUES } from "../../inference/tested_columns.ts";
import type { DataFrame } from "nodejs-polars";
import { type ANNUAL_COLUMNS, annualAlphaBeta } from "./annual_alpha_beta.ts";
import { sayCompat } from "../../say_compat.ts";
import {
  checkOptions,
  FLAG,
  needed,
  oneOf,
  type Rule,
  ruleBy,
  whole,
} from "../../../base/arguments/check_options.ts";
import type { HasDense } from "../../dense/from_data_frame.ts";
import { ewcRegression } from "../../inference/ewc_regression.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import {
  ANNUAL_RULES,
  type AnnualOptions,
  assertSameSpacing,
  periodsOfYear,
} from "../periods_of_year.ts";
import { onCommonSessions } from "../common_sessions.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const ALPHA_BETA_COLUMNS = {
  term: "text",
  value: "number",
  ...TEST_VALUES,
  annual_arithmetic: "number",
  annual_compounded: "number",
  r_squared: "number",
  n: "count",
  reason: "text",
} as const;

/** Options of {@link alphaBeta}. */
export interface AlphaBetaOptions extends SeriesOptions, AnnualOptions {
  /**
   * Errors that papers print, for comparison with them: Newey and West's (1987) with a lag, against the normal distribution; with
   * `correction` times n / (n − 2). They reject more often than stated.
   *
   * @default equal-weighted cosines
   */
  readonly inference?: {
    readonly method: "newey-west";
    readonly lag: number;
    readonly correction?: boolean;
  };
}

const HAC: Rule<NonNullable<AlphaBetaOptions["inference"]>> = ruleBy(
  'errors such as { method: "newey-west", lag: 6 }',
  (action, given: NonNullable<AlphaBetaOptions["inference"]>) =>
    checkOptions(action, given, {
      method: needed(oneOf("newey-west")),
      lag: needed(whole(0)),
      correction: FLAG,
    }),
);

/**
 * Regresses the returns of a portfolio on those of a market: one row for alpha, one for beta.
 *
 * Columns: `term` (Utf8), `value` (alpha by session, or beta), `standard_error`, `t`, `df` (Int32), `p`, `low`, `high`
 * (95%), `annual_arithmetic` (252 alpha, or `periodsPerYear` times) and `annual_compounded` ((1 + alpha)^252 − 1; both null for beta), `r_squared`,
 * `n` (Int32, sessions with both returns), `reason`. The coefficients are least squares; the errors are those of the
 * equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018), or with `inference` those of Newey and West, whose `df` is
 * null. With fewer than 20 sessions the test is null.
 *
 * @param returns Returns of one session each
 * @param market Those of the market: for instance the mean return of all stocks with score and return
 * @param options Column of the returns of both
 * @returns A frame of two rows, alpha and beta, each with its standard error and test
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are several series, or a window spans several sessions
 * @see Jensen (1968), The performance of mutual funds in the period 1945–1964, Journal of Finance 23
 *
 * @example Usage
 * ```ts
 * import { alphaBeta } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const session = ["2026-01-05", "2026-01-06", "2026-01-07"];
 * const market = pl.DataFrame({ session, return: [0.01, -0.02, 0.03] });
 * const returns = pl.DataFrame({ session, return: [0.02, -0.04, 0.06] });
 * const [, beta] = alphaBeta(returns, market).toRecords();
 * console.assert(Math.abs(Number(beta?.value) - 2) < 1e-9 && beta?.reason === "too_few_windows");
 * ```
 */
export function alphaBeta(
  returns: SeriesInput,
  market: SeriesInput,
  options?: AlphaBetaOptions,
): TableFrame<typeof ALPHA_BETA_COLUMNS>;
/**
 * The numbers of alphalens, as {@link annualAlphaBeta} gives them: the result of `factorReturns()`, the data that it was made
 * from, and one row per horizon, without errors.
 *
 * @returns A frame of one row per horizon, without errors
 * @see Jensen (1968), The performance of mutual funds in the period 1945–1964, Journal of Finance 23
 */
export function alphaBeta(
  returns: DataFrame,
  data: HasDense | DataFrame,
  options: { readonly compat: "alphalens" },
): TableFrame<typeof ANNUAL_COLUMNS>;
export function alphaBeta(
  returns: SeriesInput,
  market: SeriesInput | HasDense,
  options: AlphaBetaOptions & { readonly compat?: "alphalens" } = {},
): DataFrame {
  const action = "explain returns by the market";
  checkOptions(action, options, {
    ...SERIES_RULES,
    ...ANNUAL_RULES,
    inference: HAC,
    compat: COMPAT,
  });
  const { compat, ...columns } = options;
  if (compat !== undefined) {
    sayCompat(compat, "alphaBeta(): annualised from overlapping windows, without errors");
    const { periodsPerYear } = columns;
    return annualAlphaBeta(
      returns as DataFrame,
      market as HasDense | DataFrame,
      periodsPerYear === undefined ? {} : { periodsPerYear },
    );
  }
  return measure(action, [returns, market as SeriesInput], columns);
}

function measure(
  action: string,
  [returns, market]: readonly [SeriesInput, SeriesInput],
  { periodsPerYear, inference, ...options }: AlphaBetaOptions,
): TableFrame<typeof ALPHA_BETA_COLUMNS> {
  const explained = readOneSessionReturns(action, returns, options);
  const explaining = readOneSessionReturns(action, market, options);
  assertSameSpacing(action, [explained, explaining], ["returns", "market"]);
  const year = periodsOfYear(action, explained, periodsPerYear);
  const [y, x] = onCommonSessions([explained, explaining]).map(({ values }) => values);
  const { lag, correction } = inference ?? {};
  const { coefficients, ...regression } = ewcRegression(y!, [x!], { lag, correction });
  const rows = (["alpha", "beta"] as const).map((term, k) => {
    const coefficient = coefficients[k] ?? NO_COEFFICIENT;
    const value = term === "beta" ? null : coefficient.value;
    return {
      ...{ term, ...regression, ...coefficient },
      annualArithmetic: value === null ? null : year * value,
      annualCompounded: value === null || value <= -1 ? null : (1 + value) ** year - 1,
    };
  });
  return tableOfRows(rows, ALPHA_BETA_COLUMNS, {});
}

const NO_COEFFICIENT = {
  value: null,
  standardError: null,
  t: null,
  p: null,
  low: null,
  high: null,
};
