import type { DataFrame } from "nodejs-polars";
import * as rules from "../../../base/arguments/check_options.ts";
import { meanOrNull } from "../../inference/tested_mean.ts";
import { testMean } from "../../inference/test_mean.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { dayName } from "../../inference/table_series.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import {
  BASIS_POINT,
  breakEven,
  chargedTo,
  netOf,
  RATE_RULE,
  readTraded,
  USUAL_RATE,
} from "./costs.ts";
import { annualOf } from "../wealth/cumulative_returns.ts";
import { usualSpans } from "../../dense/days.ts";
import { seenFrequency } from "../../../frames/prices/dates/frequency.ts";
import { type HasDense, toDense } from "../../dense/dense_frames.ts";
import { adjustPValues } from "../../inference/adjust_p_values.ts";
import { portfolioReturns } from "../../portfolio/portfolio_returns.ts";
import { positions, type Weights } from "../../portfolio/weights.ts";
import type { TableOf } from "../../table/columns.ts";

/** Columns of the table, in order. */
export const CAPACITY_COLUMNS = `capital sessions missing within_limit gross spread_cost
  impact_cost net net_low net_high net_annual profit_annual break_even_capital break_even_low
  break_even_high`;

const ACTION = "measure capacity";
const CAPITAL: rules.Rule<number | readonly number[]> = rules.ruleOf(
  "an amount above 0, or several",
  (value) => {
    const list = [value].flat();
    return list.length > 0 && list.every((one) => rules.FINITE.accepts(one) && Number(one) > 0);
  },
  { isKind: () => true, example: "[1e7, 1e8]" },
);

/**
 * Returns of a portfolio by capital, net of half the spread and of market impact by the square-root law, and the capital
 * at which the net return is zero: one row per capital.
 *
 * Columns: `capital`, `sessions` (Int32), `missing` (Int32, sessions left out because none of their trades has a
 * volume), `within_limit` (share of the sessions with trades whose `capital_limit` is at least the capital), `gross`
 * (mean return a session), `spread_cost` and `impact_cost` (means a session, as shares of the capital; impact is
 * `coefficient` × σ √(C|Δw|/ADV) of a trade's value), `net` with `net_low` and `net_high` (95%; null where the sample
 * is too short), `net_annual` (compounded over 252 sessions, or `periodsPerYear`), `profit_annual` (capital × mean net
 * return × 252, in currency), and `break_even_capital` (the capital at which the mean net return is 0: with impact
 * rising as √C, the square of mean return less spread over mean impact; 0 if the spread alone exceeds the return, null
 * if nothing is traded) with `break_even_low` and `break_even_high` (95%, Fieller 1954; null where the sample is too
 * short or impact too small). The profit in currency is largest at 4/9 of the break-even capital. Costs of a session
 * without a return are charged to the next one with a return, or to the last.
 *
 * @param trades The result of {@link tradeLiquidity}, or a frame with its `date`, `return`, `traded`, `impact` and `capital_limit`
 * @param options Capital, half spread and coefficient
 * @returns A frame of one row per capital: costs, net return, and the break-even
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a session occurs twice, or a capital, cost, traded amount or impact is out of range
 * @see Almgren, Thum, Hauptmann and Li (2005), Direct estimation of equity market impact, Risk 18; Tóth et al. (2011), Anomalous
 * price impact and the critical nature of liquidity in financial markets, Physical Review X 1
 *
 * @example Usage
 * ```ts
 * import { capacity } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const trades = pl.DataFrame({
 *   date: ["2026-01-05", "2026-01-06"],
 *   return: [0.002, 0.002],
 *   traded: [1, 1],
 *   impact: [1e-6, 1e-6],
 *   capital_limit: [5e6, 5e6],
 * });
 * const [row] = capacity(trades, { capital: 1e6, halfSpreadBps: 5 }).toRecords();
 * console.assert(Math.abs(Number(row?.net) - 0.0005) < 1e-12);
 * console.assert(Math.abs(Number(row?.break_even_capital) - 2_250_000) < 1e-3);
 * ```
 */
export function capacity(
  trades: DataFrame,
  options: AnnualOptions & {
    /** Capital, in the currency of the volumes. @default [1e6, 1e7, 1e8, 1e9] */
    readonly capital?: number | readonly number[];
    /** Half of the bid-ask spread, in basis points of the traded value. @default 0 */
    readonly halfSpreadBps?: number;
    /** Coefficient of the square-root law; estimates lie around 1. @default 1 */
    readonly coefficient?: number;
  } = {},
): TableOf<typeof CAPACITY_COLUMNS> {
  rules.checkOptions(ACTION, options, {
    capital: CAPITAL,
    halfSpreadBps: RATE_RULE,
    coefficient: rules.FINITE_AMOUNT,
    ...ANNUAL_RULES,
  });
  const capitals = [options.capital ?? [1e6, 1e7, 1e8, 1e9]].flat();
  const trading = readTrading(trades, options);
  const { values } = trading.gross;
  const missing = values.length - values.filter(Number.isFinite).length;
  const even = breakEvenCapital(trading);
  const rows = capitals.map((capital) => [...atCapital(trading, capital, missing), ...even]);
  return tableOfRows(rows, CAPACITY_COLUMNS);
}

function readTrading(trades: DataFrame, options: NonNullable<Parameters<typeof capacity>[1]>) {
  const { halfSpreadBps = 0, coefficient = 1, periodsPerYear } = options;
  const { series, traded } = readTraded(ACTION, trades);
  const sorted = trades.sort(dayName(trades));
  const impacts = readNumbers(ACTION, sorted, "impact");
  const known = series.values.map((value, i) => Number.isNaN(impacts[i]!) ? NaN : value);
  for (const impact of impacts) {
    if (!(impact < 0)) continue;
    throw new RangeError(
      `Cannot ${ACTION}: expected impact to be at least 0 in every session, got ${impact}; tradeLiquidity() gives it`,
    );
  }
  const gross = { ...series, values: known };
  return {
    gross,
    spread: traded.map((amount) => halfSpreadBps * BASIS_POINT * amount),
    impact: chargedTo(known, impacts.map((impact) => coefficient * (impact || 0))),
    limits: [...readNumbers(ACTION, sorted, "capital_limit")].filter((limit) => limit === limit),
    year: periodsOfYear(ACTION, series, periodsPerYear),
  };
}

/** The cells of a capital, up to its profit. */
function atCapital(
  { gross, spread, impact, limits, year }: ReturnType<typeof readTrading>,
  capital: number,
  missing: number,
) {
  const root = Math.sqrt(capital);
  const net = gross.values.map((value, i) => value - spread[i]! - root * impact[i]!);
  const { n, mean, low, high } = testMean({ ...gross, values: net });
  const meanOfKnown = (values: Float64Array) =>
    meanOrNull(values.filter((_, i) => !Number.isNaN(gross.values[i]!)));
  const within = limits.filter((limit) => limit >= capital).length;
  const share = limits.length === 0 ? null : within / limits.length;
  const means = [gross.values, spread, impact.map((value) => root * value)].map(meanOfKnown);
  const profit = mean === null ? null : capital * mean * year;
  return [capital, n, missing, share, ...means, mean, low, high, annualOf(net, year), profit];
}

/** Impact rises with the root of the capital, so that the break-even is a rate of it, with the interval of one. */
function breakEvenCapital({ gross, spread, impact }: ReturnType<typeof readTrading>) {
  const left = { ...gross, values: gross.values.map((value, i) => value - spread[i]!) };
  return breakEven(left, impact).map((root) => root === null ? null : Math.max(0, root) ** 2);
}

/** Columns of the table, in order. */
export const HOLDING_COLUMNS =
  "holding one_way_bps sessions traded gross net net_low net_high net_annual p p_adjusted";

const RULES: rules.OptionRules<NonNullable<Parameters<typeof holdingPeriods>[2]>> = {
  holding: rules.wholes("sessions", "[1, 5, 21]"),
  oneWayBps: RATE_RULE,
  ...ANNUAL_RULES,
};
const HOLDING = "compare holding periods";

/**
 * Net returns of a portfolio by holding period: one row per period, over their common sessions.
 *
 * Each signal is held for `holding` sessions: the portfolio is the mean of as many overlapping ones ({@link positions}),
 * so no start date is favoured. Columns: `holding` (sessions), `one_way_bps`, `sessions` (Int32), `traded` (mean Σ|Δw| a
 * session), `gross` and `net` (mean return a session) with `net_low` and `net_high` (95%, equal-weighted cosines; null
 * where the sample is too short), `net_annual` (compounded over 252 sessions, or `periodsPerYear`), `p` (two-sided, of a
 * mean net return of 0) and `p_adjusted` (Holm, 1979, for all periods of the table). The session in which the longest
 * holding is first complete is left out: building the portfolio is not a cost of holding it.
 *
 * The period with the highest net return is chosen after the fact: its return overstates future returns, as that of the
 * best of several trials does.
 *
 * @param data The result of {@link align}, with returns of one session
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @param options Holding periods, cost, and periods of a year
 * @returns A frame of one row per holding period, in ascending order
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a holding period is not a whole number of at least 1, or is longer than the sample, or the cost is negative
 * @see Jegadeesh and Titman (1993), Returns to buying winners and selling losers, Journal of Finance 48; Novy-Marx and Velikov (2016), A
 * taxonomy of anomalies and their trading costs, Review of Financial Studies 29
 *
 * @example Usage
 * ```ts
 * import { factorWeights, holdingPeriods } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * // Scores that change sides in every session: held for two, the portfolio is empty and costs nothing.
 * const day = (i: number) => new Date(Date.UTC(2026, 9, 5 + i + 2 * Math.floor(i / 5)));
 * const data = pl.DataFrame(Array.from({ length: 12 }, (_, i) => ["A", "B"].map((ticker, n) => ({
 *   session: day(i).toISOString().slice(0, 10),
 *   ticker,
 *   score: (i + n) % 2,
 *   return_1: 0.001 * n,
 * }))).flat());
 * const [one, two] = holdingPeriods(data, factorWeights(data), { holding: [1, 2] }).toRecords();
 * console.assert(Number(one?.traded) > 1.99 && Number(two?.traded) < 0.01);
 * ```
 */
export function holdingPeriods(
  data: HasDense | DataFrame,
  weights: Weights | DataFrame,
  options: AnnualOptions & {
    /** Holding periods, in sessions. @default [1, 5, 10, 21, 63]; for weekly prices [1, 4, 13, 52], for monthly ones [1, 3, 6, 12] */
    readonly holding?: number | readonly number[];
    /** One-way cost, in basis points of the traded value. @default 10 */
    readonly oneWayBps?: number;
  } = {},
): TableOf<typeof HOLDING_COLUMNS> {
  rules.checkOptions("call holdingPeriods()", options, RULES);
  const { oneWayBps = USUAL_RATE, periodsPerYear } = options;
  const asked = [options.holding ?? usualHoldings(toDense(HOLDING, data).days)].flat();
  const holdings = [...new Set(asked)].toSorted((a, b) => a - b);
  const books = onCommonDays(
    holdings.map((holding) => portfolioReturns(data, positions(weights, { holding }))),
  );
  const tested = books.map((book) => {
    const { series, traded } = readTraded(HOLDING, book);
    const net = netOf(series, traded, oneWayBps);
    const of = (values: Float64Array) => testMean({ ...series, values });
    const annual = annualOf(net, periodsOfYear(HOLDING, series, periodsPerYear));
    return { ...of(net), before: [of(traded).mean, of(series.values).mean], annual };
  });
  const adjusted = adjustPValues(tested.map(({ p }) => p), "holm");
  const rows = tested.map(({ n, before, mean, low, high, annual, p }, i) => {
    return [holdings[i]!, oneWayBps, n, ...before, mean, low, high, annual, p, adjusted[i]!];
  });
  return tableOfRows(rows, HOLDING_COLUMNS);
}

/** The sessions that all books have, without the first, in which the one that begins last is built up. */
function onCommonDays(books: readonly DataFrame[]): readonly DataFrame[] {
  const days = books.map((book) => readDayColumn(HOLDING, book, "date"));
  const from = Math.max(...days.map((own) => own[0] ?? Infinity));
  const to = Math.min(...days.map((own) => own.at(-1) ?? -Infinity));
  if (from < to) {
    return books.map((book, i) => {
      const places = [...days[i]!.keys()].filter((place) => {
        const day = days[i]![place]!;
        return day > from && day <= to;
      });
      return book.slice(places[0]!, places.length);
    });
  }
  throw new RangeError(
    `Cannot ${HOLDING}: expected a sample longer than the longest holding period, got ` +
      `${Math.max(...days.map((own) => own.length))} sessions at most; leave the longest one out`,
  );
}

function usualHoldings(days: Int32Array): readonly number[] {
  const spans = usualSpans(days);
  return seenFrequency(days) === "daily" ? [1, 5, 10, ...spans.slice(1)] : [1, ...spans];
}
