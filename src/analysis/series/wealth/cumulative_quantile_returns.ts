import pl, { type DataFrame } from "nodejs-polars";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { assertColumns } from "../../../frames/frame/assert_columns.ts";
import { readSeries } from "../read_series.ts";
import type { SessionSeries } from "../../inference/session_series.ts";
import { wealthOf } from "./wealth.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const WEALTH_COLUMNS = {
  quantile: "count",
  session: "date",
  wealth: "number",
  all_names: "number",
  relative: "number",
} as const;

const ACTION = "compound the returns of quantiles";
const NEEDED = ["session", "horizon", "quantile", "mean", "mean_excess"];

/**
 * Cumulative return of each quantile and of all stocks, as growth of 1: one-session returns are compounded, with equal weights
 * within a quantile, new quantiles every session, and no costs. Returns of longer horizons overlap and are left out.
 *
 * One row per quantile and session, by quantile and session: `quantile` (Int32), `session` (Date), `wealth` (from 1 before the first
 * return), `all_names` (wealth of all stocks with score and return, equally weighted), `relative` (the product of 1 + return of the
 * quantile over 1 + return of all stocks, over the sessions in which the quantile has a return). A session without a return has
 * null, and the next one goes on from the last value.
 *
 * @param means The result of {@link meanReturnByQuantile} with `bySession`, or `detail.quantileSessions` of an analysis
 * @returns A frame of one row per quantile and session: the wealth
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are no returns of one session, or a quantile has several in one session
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { cumulativeQuantileReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const means = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   horizon: [1, 1, 1, 1],
 *   quantile: [1, 2, 1, 2],
 *   mean: [0.1, 0.5, -0.5, 0],
 *   mean_excess: [-0.2, 0.2, -0.25, 0.25],
 * });
 * const wealth = cumulativeQuantileReturns(means).getColumn("wealth").toArray().map((value) => Number(value).toFixed(2));
 * if (wealth.join() !== "1.10,0.55,1.50,1.50") throw new Error(wealth.join());
 * ```
 */
export function cumulativeQuantileReturns(means: DataFrame): TableFrame<typeof WEALTH_COLUMNS> {
  assertFrame(ACTION, means);
  assertColumns(ACTION, means, NEEDED);
  const own = means.filter(pl.col("horizon").eq(pl.lit(1)));
  if (own.height === 0 && means.height > 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected returns of one session, got none with horizon 1; returns of longer ` +
        "horizons overlap, so that they cannot be compounded",
    );
  }
  const buckets = readSeries(ACTION, own, { value: "mean" });
  const excesses = readSeries(ACTION, own, { value: "mean_excess" });
  const all = allNames(buckets, excesses);
  const rows = buckets.flatMap((bucket) => rowsOf(bucket, all));
  return tableOfRows(rows, WEALTH_COLUMNS, {
    session: (row) => row.day,
  });
}

interface AllNames {
  /** Return of all stocks by day; no entry where no quantile has one. */
  readonly returns: ReadonlyMap<number, number>;
  /** Their wealth by day. */
  readonly wealth: ReadonlyMap<number, number>;
}

// A quantile's return relative to all stocks is known wherever its mean is, and so is that of all stocks.
function allNames(
  buckets: readonly SessionSeries[],
  excesses: readonly SessionSeries[],
): AllNames {
  const found = new Map<number, number>();
  for (const [b, { days, values }] of buckets.entries()) {
    for (const [i, day] of days.entries()) {
      const value = values[i]! - excesses[b]!.values[i]!;
      if (!found.has(day) && !Number.isNaN(value)) found.set(day, value);
    }
  }
  const days = [...found.keys()].toSorted((a, b) => a - b);
  const wealth = wealthOf(Float64Array.from(days, (day) => found.get(day)!));
  return { returns: found, wealth: new Map(days.map((day, i) => [day, wealth[i]!])) };
}

function rowsOf({ group, days, values }: SessionSeries, { returns, wealth: ofAll }: AllNames) {
  const wealth = wealthOf(values);
  const relative = wealthOf(
    values.map((value, i) => (1 + value) / (1 + (returns.get(days[i]!) ?? NaN)) - 1),
  );
  return Array.from(days, (day, i) => {
    const isMissing = Number.isNaN(values[i]!);
    return {
      quantile: Number(group),
      day,
      wealth: isMissing ? null : wealth[i]!,
      allNames: ofAll.get(day) ?? null,
      relative: isMissing ? null : relative[i]!,
    };
  });
}
