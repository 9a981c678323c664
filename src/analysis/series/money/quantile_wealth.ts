import pl, { type DataFrame } from "nodejs-polars";
import { assertFrame } from "../../../frame/assert_frame.ts";
import { frameOfRows } from "../../table/frame_of_rows.ts";
import { assertColumns } from "../../table/read_columns.ts";
import { readSeries } from "../read_series.ts";
import type { SessionSeries } from "../session_series.ts";
import { wealthOf } from "./wealth.ts";

const ACTION = "compound the returns of buckets";
const NEEDED = ["session", "horizon", "quantile", "mean", "mean_excess"];

/**
 * What one unit of wealth became in each bucket, and beside all names: returns of one session each are compounded, equal
 * weights within a bucket, new buckets every session, no costs. Returns of longer horizons overlap and are left out.
 *
 * One row a bucket and session, by bucket and session: `quantile` (Int32), `session` (Date), `wealth` (1 stands before the first
 * return), `all_names` (wealth of all names with score and return, equally weighted), `relative` (the product of 1 + return of the
 * bucket over 1 + return of all names, over the sessions in which the bucket has a return). A session without a return has
 * null, and the next one goes on from the last value.
 *
 * @param means What {@link meanReturnByQuantile} gave with `bySession`, or `detail.quantileSessions` of an analysis
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are no returns of one session, or a bucket has several in one session
 *
 * @example Usage
 * ```ts
 * import { quantileWealth } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const means = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   horizon: [1, 1, 1, 1],
 *   quantile: [1, 2, 1, 2],
 *   mean: [0.1, 0.5, -0.5, 0],
 *   mean_excess: [-0.2, 0.2, -0.25, 0.25],
 * });
 * const wealth = quantileWealth(means).getColumn("wealth").toArray().map((value) => Number(value).toFixed(2));
 * if (wealth.join() !== "1.10,0.55,1.50,1.50") throw new Error(wealth.join());
 * ```
 */
export function quantileWealth(means: DataFrame): DataFrame {
  assertFrame(ACTION, means);
  assertColumns(ACTION, means, NEEDED);
  const own = means.filter(pl.col("horizon").eq(pl.lit(1)));
  if (own.height === 0 && means.height > 0) {
    throw new RangeError(
      `Cannot ${ACTION}: returns of one session are required, got none with horizon 1; returns of ` +
        "longer horizons overlap",
    );
  }
  const buckets = readSeries(ACTION, own, { value: "mean" });
  const excesses = readSeries(ACTION, own, { value: "mean_excess" });
  const all = allNames(buckets, excesses);
  const rows = buckets.flatMap((bucket) => rowsOf(bucket, all));
  return frameOfRows(rows, [
    { name: "quantile", type: "count", read: (row) => row.quantile },
    { name: "session", type: "day", read: (row) => row.day },
    { name: "wealth", type: "number", read: (row) => row.wealth },
    { name: "all_names", type: "number", read: (row) => row.allNames },
    { name: "relative", type: "number", read: (row) => row.relative },
  ]);
}

interface AllNames {
  /** Return of all names by day; no entry where no bucket has one. */
  readonly returns: ReadonlyMap<number, number>;
  /** Their wealth by day. */
  readonly wealth: ReadonlyMap<number, number>;
}

// What a bucket has beyond all names is known with its mean, and so are all names.
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
