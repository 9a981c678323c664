import type { DataFrame } from "nodejs-polars";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { usualGap, weekdaysTo } from "../dense/days.ts";

/**
 * The dense form of data in which a book is carried from session to session.
 *
 * @throws {RangeError} If the rows of a frame are not of every session
 */
export function sessionsDense(action: string, data: HasDense | DataFrame): DenseScores {
  const dense = toDense(action, data);
  if ((data as Partial<HasDense>).dense !== undefined) return dense;
  const { days, present, tickers } = dense;
  const width = tickers.length;
  assertEverySession(
    action,
    days.filter((_, d) => present.subarray(d * width, (d + 1) * width).includes(1)),
    "give the result of align() itself, which knows the sessions in between",
  );
  return dense;
}

/**
 * Refuses sessions between which others usually lie: a frame of Fridays alone lacks the returns from Monday to Thursday.
 *
 * @param days The sessions of a frame, ascending, in days since 1970-01-01
 * @param advice Input to give instead
 * @throws {RangeError} If they are usually several weekdays apart
 */
export function assertEverySession(action: string, days: Int32Array, advice: string): void {
  const gap = usualGap(Array.from(days, weekdaysTo));
  if (gap === null || gap <= 1) return;
  throw new RangeError(
    `Cannot ${action}: expected rows of every session, got sessions that are usually ${gap} weekdays ` +
      `apart (${[...days.slice(0, 3)].map(fromEpochDay).join(", ")}); ${advice}`,
  );
}
