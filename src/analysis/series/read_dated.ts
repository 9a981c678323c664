import { rankCorrelation } from "../../base/statistics/mean_ranks.ts";
import { decimalText } from "../../base/wording/number_text.ts";
import type { SessionSeries } from "../inference/session_series.ts";
import { onCommonSessions } from "./common_sessions.ts";

const LEAST = 20;
// Of two neighbours, one is this far off by chance in 0.3% of samples.
const ERRORS = 3;

/**
 * Refuses series whose days are those of scores where returns meet a market, a benchmark or a calendar: these have the date at whose close a return is
 * earned.
 *
 * @param names What the series are called
 */
export function assertDated(
  action: string,
  series: readonly SessionSeries[],
  names: readonly string[],
): void {
  const place = series.findIndex(({ dated, days }) => dated !== "date" && days.length > 0);
  if (place === -1) return;
  const name = names[place]!;
  throw new TypeError(
    `Cannot ${action}: expected ${name} with a column date, the session at whose close a return is earned, got ` +
      "the column session, which is that of a score, before its return; portfolioReturns() gives date. If the " +
      `days are those at whose close returns are earned, write ${name}.rename({ session: "date" })`,
  );
}

/**
 * Refuses a market that moves with the portfolio a row earlier or later rather than on the same date, beyond the error of the difference of both rank
 * correlations.
 */
export function assertSameDates(
  action: string,
  [portfolio, market]: readonly [SessionSeries, SessionSeries],
  name: string,
): void {
  const [own, theirs] = onCommonSessions([portfolio, market]).map(({ values }) => values);
  const n = own!.length - 1;
  if (n < LEAST) return;
  const [same, earlier, later] = [
    rankCorrelation(own!, theirs!),
    rankCorrelation(own!.subarray(1), theirs!.subarray(0, n)),
    rankCorrelation(own!.subarray(0, n), theirs!.subarray(1)),
  ];
  const size = (value: number) => Math.atanh(Math.min(1 - 1e-12, Math.abs(value) || 0));
  const [other, shift] = size(earlier) > size(later) ? [earlier, 1] : [later, -1];
  if (!(size(other) - size(same) > ERRORS * Math.sqrt(2 / (n - 3)))) return;
  throw new RangeError(
    `Cannot ${action}: expected ${name} dated as the portfolio is, by the session at whose close a return is earned, got ` +
      `a rank correlation of ${decimalText(same, 2)} on the same dates, and of ${
        decimalText(other, 2)
      } with the row of ${name} one ${
        shift === 1 ? "earlier" : "later"
      }; date it by the end of its returns: ` +
      `${name}.sort("date").withColumns(pl.col("${market.name}").shift(${shift}))`,
  );
}
