import { usualSpans } from "../../dense/days.ts";
import { seenFrequency } from "../../../frames/prices/dates/frequency.ts";
import type { DataFrame } from "nodejs-polars";
import { RATE_RULE, USUAL_RATE } from "./read_rates.ts";
import { checkOptions, type OptionRules, wholes } from "../../../base/arguments/check_options.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { type HasDense, toDense } from "../../dense/from_data_frame.ts";
import { adjustPValues } from "../../inference/adjust_p_values.ts";
import { testMean } from "../../inference/test_mean.ts";
import { portfolioReturns } from "../../portfolio/portfolio_returns.ts";
import { positions } from "../../portfolio/positions.ts";
import type { Weights } from "../../portfolio/weights.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readDayColumn } from "../../table/read_columns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import { netOf, readTraded } from "./trading_costs.ts";
import { annualOf } from "../wealth/wealth.ts";

/** Columns of the table, in order. */
export const HOLDING_COLUMNS = {
  holding: "count",
  one_way_bps: "number",
  sessions: "count",
  traded: "number",
  gross: "number",
  net: "number",
  net_low: "number",
  net_high: "number",
  net_annual: "number",
  p: "number",
  p_adjusted: "number",
} as const;

const RULES: OptionRules<NonNullable<Parameters<typeof holdingPeriods>[2]>> = {
  holding: wholes("sessions", "[1, 5, 21]"),
  oneWayBps: RATE_RULE,
  ...ANNUAL_RULES,
};
const ACTION = "compare holding periods";

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
): TableFrame<typeof HOLDING_COLUMNS> {
  checkOptions("call holdingPeriods()", options, RULES);
  const { oneWayBps = USUAL_RATE, periodsPerYear } = options;
  const holdings = [
    ...new Set([options.holding ?? usualHoldings(toDense(ACTION, data).days)].flat()),
  ]
    .toSorted((a, b) => a - b);
  const books = onCommonDays(
    holdings.map((holding) => portfolioReturns(data, positions(weights, { holding }))),
  );
  const rows = holdings.map((holding, i) => {
    const { series, traded } = readTraded(ACTION, books[i]!);
    const net = netOf(series, traded, oneWayBps);
    const tested = (values: Float64Array) => testMean({ ...series, values });
    const { n: sessions, mean, low, high, p } = tested(net);
    return {
      ...{ holding, oneWayBps, sessions, p },
      ...{ traded: tested(traded).mean, gross: tested(series.values).mean },
      ...{ net: mean, netLow: low, netHigh: high },
      netAnnual: annualOf(net, periodsOfYear(ACTION, series, periodsPerYear)),
    };
  });
  const adjusted = adjustPValues(rows.map(({ p }) => p), "holm");
  const table = rows.map((row, i) => ({ ...row, pAdjusted: adjusted[i]! }));
  return tableOfRows(table, HOLDING_COLUMNS, {});
}

/** The sessions that all books have, without the first, in which the one that begins last is built up. */
function onCommonDays(books: readonly DataFrame[]): readonly DataFrame[] {
  const days = books.map((book) => readDayColumn(ACTION, book, "date"));
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
    `Cannot ${ACTION}: expected a sample longer than the longest holding period, got ` +
      `${Math.max(...days.map((own) => own.length))} sessions at most; leave the longest one out`,
  );
}

function usualHoldings(days: Int32Array): readonly number[] {
  const spans = usualSpans(days);
  return seenFrequency(days) === "daily" ? [1, 5, 10, ...spans.slice(1)] : [1, ...spans];
}
