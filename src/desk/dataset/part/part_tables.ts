import type { DataFrame } from "nodejs-polars";

/** Names of the tables of a part. */
export const PART_TABLES = [
  "sessions",
  "ic",
  "one_session",
  "decay",
  "ic_by_age",
  "ic_by_group",
  "quantiles",
  "spread",
  "turnover",
  "rank_autocorrelation",
  "edges",
  "coverage",
  "gaps",
  "unscored",
  "counts",
  "losses",
  "loss_examples",
  "losses_by_session",
  "losses_by_ticker",
  "losses_by_status",
  "price_notes",
  "tickers",
  "account",
] as const;

/** Name of a table of a part. */
export type PartTableName = typeof PART_TABLES[number];

/**
 * Tables of an analysis for one span of sessions: one row per session and key, and the losses of score rows. Tables that
 * the analysis does not have, such as that of groups, are missing.
 */
export type PartTables = ReadonlyMap<PartTableName, DataFrame>;

/** The table of a part; `null` if the analysis has none. */
export function tableOf(part: PartTables, name: PartTableName): DataFrame | null {
  return part.get(name) ?? null;
}

/** Days of the calendar, both included, in days since 1970-01-01. */
export interface DaySpan {
  /** The first day. */
  readonly from: number;
  /** The last day. */
  readonly to: number;
}
