import type { RowReaders } from "../table/frame_of_rows.ts";
import type { TestedMean } from "./tested_mean.ts";

/** Columns of a tested mean, in order. */
export const TESTED_COLUMNS = {
  mean: "number",
  standard_error: "number",
  t: "number",
  df: "count",
  p: "number",
  low: "number",
  high: "number",
  sessions: "count",
  reason: "text",
} as const;

/** Values of the columns of a tested mean. */
export function testedReaders<Row>(
  read: (row: Row) => TestedMean,
): RowReaders<Row, typeof TESTED_COLUMNS> {
  return {
    mean: (row) => read(row).mean,
    standard_error: (row) => read(row).standardError,
    t: (row) => read(row).t,
    df: (row) => read(row).df,
    p: (row) => read(row).p,
    low: (row) => read(row).low,
    high: (row) => read(row).high,
    sessions: (row) => read(row).n,
    reason: (row) => read(row).reason,
  };
}
