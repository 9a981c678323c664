import pl, { type DataFrame } from "nodejs-polars";
import type { Check } from "../contract/scores/check.ts";
import type { CalendarDate, Instant } from "../contract/instant.ts";
import type { Receipt } from "./provenance/origin.ts";
import { markSynthetic } from "./provenance/synthetic_lineage.ts";

/** One publication, as a row of the publications frame. */
export interface PublicationRow {
  /** The last check that is known of the set. */
  readonly check: Check;
  /** How many of its rows carry a score. */
  readonly scored: number;
  /** Publication of the next set; `null` if none is known. */
  readonly supersededAt: Instant | null;
  /** How the set came here. */
  readonly receipt: Receipt;
}

/**
 * The frame of publications: one row per published set, in the order given.
 *
 * Columns: `factor`, `snapshot_id` (Utf8), `calculated_at` (publication), `superseded_at` (publication of the next
 * set, null if none is known), `factor_version`, `universe` (Utf8), `tickers`, `scored` (Int32), then of the last
 * check that is known of the set `last_checked_at`, `data_through`, `status`, `prices_through` (Date), and `source`,
 * `retrieved_at`. Instants are Datetime in milliseconds, UTC.
 */
export function toPublicationsFrame(rows: readonly PublicationRow[]): DataFrame {
  const text = (name: string, read: (row: PublicationRow) => string) =>
    pl.Series(name, rows.map(read), pl.Utf8);
  const time = (name: string, read: (row: PublicationRow) => Instant | null) =>
    pl.Series(name, rows.map((row) => toDate(read(row))), pl.Datetime("ms", "UTC"));
  const count = (name: string, read: (row: PublicationRow) => number) =>
    pl.Series(name, rows.map(read), pl.Int32);
  const frame = pl.DataFrame([
    text("factor", ({ check }) => check.factor),
    text("snapshot_id", ({ check }) => check.snapshotId),
    time("calculated_at", ({ check }) => check.calculatedAt),
    time("superseded_at", ({ supersededAt }) => supersededAt),
    text("factor_version", ({ check }) => check.factorVersion),
    text("universe", ({ check }) => check.universe),
    count("tickers", ({ check }) => check.coverage.tickers),
    count("scored", ({ scored }) => scored),
    time("last_checked_at", ({ check }) => check.lastCheckedAt),
    time("data_through", ({ check }) => check.dataThrough),
    text("status", ({ check }) => check.status),
    pl.Series("prices_through", rows.map(({ check }) => toDate(check.pricesThrough)), pl.Date),
    text("source", ({ receipt }) => receipt.source),
    time("retrieved_at", ({ receipt }) => receipt.retrievedAt),
  ]);
  return markSynthetic(frame, rows.map(({ receipt }) => receipt.source));
}

function toDate(value: Instant | CalendarDate | null): Date | null {
  return value === null ? null : new Date(value);
}
