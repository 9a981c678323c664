import type { DataFrame } from "nodejs-polars";
import { annualAlphaBeta } from "../../alphalens/annual_alpha_beta.ts";
import { assertCompat, sayCompat } from "../../alphalens/say_compat.ts";
import { assertKnownOptions } from "../../../arguments/check_options.ts";
import type { HasDense } from "../../dense/from_data_frame.ts";
import {
  type Coefficient,
  ewcRegression,
  type Regression,
} from "../../inference/ewc_regression.ts";
import { frameOfRows, type RowColumn } from "../../table/frame_of_rows.ts";
import { readOneSessionReturns } from "./cumulative_returns.ts";
import { SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import type { SessionSeries } from "../session_series.ts";

const YEAR = 252;

interface Row {
  readonly term: "alpha" | "beta";
  readonly coefficient: Coefficient | null;
  readonly regression: Regression;
}

const COLUMNS: readonly RowColumn<Row>[] = [
  { name: "term", type: "text", read: (row) => row.term },
  { name: "value", type: "number", read: (row) => row.coefficient?.value ?? null },
  { name: "standard_error", type: "number", read: (row) => row.coefficient?.standardError ?? null },
  { name: "t", type: "number", read: (row) => row.coefficient?.t ?? null },
  { name: "df", type: "count", read: (row) => row.regression.df },
  { name: "p", type: "number", read: (row) => row.coefficient?.p ?? null },
  { name: "low", type: "number", read: (row) => row.coefficient?.low ?? null },
  { name: "high", type: "number", read: (row) => row.coefficient?.high ?? null },
  { name: "annual_arithmetic", type: "number", read: annualArithmetic },
  { name: "annual_compounded", type: "number", read: annualCompounded },
  { name: "r_squared", type: "number", read: (row) => row.regression.rSquared },
  { name: "n", type: "count", read: (row) => row.regression.n },
  { name: "reason", type: "text", read: (row) => row.regression.reason },
];

/**
 * Explains the returns of a portfolio by those of a market: one row for alpha, one for beta.
 *
 * Columns: `term` (Utf8), `value` (alpha by session, or beta), `standard_error`, `t`, `df` (Int32), `p`, `low`, `high`
 * (95 %), `annual_arithmetic` (252 alpha) and `annual_compounded` ((1 + alpha)^252 − 1; both null for beta), `r_squared`,
 * `n` (Int32, sessions with both returns), `reason`. The coefficients are least squares; the errors are those of the
 * equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018). With fewer than 20 sessions no test is stated.
 *
 * @param returns Returns of one session each
 * @param market Those of the market: for instance the mean return of all names with score and return
 * @param options Which column holds the returns of both
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are several series, or a window spans several sessions
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
  options?: SeriesOptions,
): DataFrame;
/**
 * The numbers of alphalens, as {@link annualAlphaBeta} gives them: the result of `factorReturns()`, the data that it was made
 * from, and one row a horizon, without errors.
 */
export function alphaBeta(
  returns: DataFrame,
  data: HasDense | DataFrame,
  options: { readonly compat: "alphalens" },
): DataFrame;
export function alphaBeta(
  returns: SeriesInput,
  market: SeriesInput | HasDense,
  options: SeriesOptions & { readonly compat?: "alphalens" } = {},
): DataFrame {
  const action = "explain returns by the market";
  assertKnownOptions(action, options, [...SERIES_OPTIONS, "compat"]);
  const { compat, ...columns } = options;
  assertCompat(action, compat);
  if (compat !== undefined) {
    sayCompat(compat, "alphaBeta(): annualised from overlapping windows, without errors");
    return annualAlphaBeta(returns as DataFrame, market as HasDense | DataFrame);
  }
  return measure(action, [returns, market as SeriesInput], columns);
}

function measure(
  action: string,
  [returns, market]: readonly [SeriesInput, SeriesInput],
  options: SeriesOptions,
): DataFrame {
  const [y, x] = onCommonSessions(
    readOneSessionReturns(action, returns, options),
    readOneSessionReturns(action, market, options),
  );
  const regression = ewcRegression(y, [x]);
  const rows = (["alpha", "beta"] as const).map((term, k) => ({
    term,
    coefficient: regression.coefficients[k] ?? null,
    regression,
  }));
  return frameOfRows(rows, COLUMNS);
}

function onCommonSessions(a: SessionSeries, b: SessionSeries): [Float64Array, Float64Array] {
  const other = new Map(Array.from(b.days, (day, i) => [day, b.values[i]!]));
  const pairs = Array.from(a.days, (day, i) => [a.values[i]!, other.get(day) ?? NaN] as const)
    .filter(([x, y]) => !Number.isNaN(x) && !Number.isNaN(y));
  return [Float64Array.from(pairs, ([x]) => x), Float64Array.from(pairs, ([, y]) => y)];
}

function annualArithmetic({ term, coefficient }: Row): number | null {
  return term === "beta" || coefficient === null ? null : YEAR * coefficient.value;
}

function annualCompounded({ term, coefficient }: Row): number | null {
  return term === "beta" || coefficient === null || coefficient.value <= -1
    ? null
    : (1 + coefficient.value) ** YEAR - 1;
}
