import type { Check } from "../../base/contract/scores/check.ts";
import type { Instant } from "../../base/contract/instant.ts";
import type { Receipt } from "./provenance/origin.ts";
import { markSynthetic } from "./provenance/synthetic_lineage.ts";
import type { ColumnsOf } from "./typed/columns.ts";
import { frameOfObjects } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

const COLUMNS = {
  factor: "text",
  snapshot_id: "text",
  calculated_at: "instant",
  superseded_at: "instant",
  factor_version: "text",
  universe: "text",
  tickers: "count",
  scored: "count",
  last_checked_at: "instant",
  data_through: "instant",
  status: "text",
  prices_through: "date",
  source: "text",
  retrieved_at: "instant",
} as const;

/**
 * Columns of a list of publications.
 *
 * @internal
 */
export type PublicationColumns = ColumnsOf<typeof COLUMNS>;

/** One publication, as a row of the publications frame. */
export interface PublicationRow {
  /** Last known check of the set. */
  readonly check: Check;
  /** Number of its rows with a score. */
  readonly scored: number;
  /** Publication of the next set; `null` if none is known. */
  readonly supersededAt: Instant | null;
  /** Arrival of the set on this machine. */
  readonly receipt: Receipt;
}

/**
 * The frame of publications: one row per published set, in the order given.
 *
 * Columns: `factor`, `snapshot_id` (Utf8), `calculated_at` (publication), `superseded_at` (publication of the next set, null if
 * none is known), `factor_version`, `universe` (Utf8), `tickers`, `scored` (Int32), then, of the last known check of the set,
 * `last_checked_at`, `data_through`, `status`, `prices_through` (Date), and `source`, `retrieved_at`. Instants are Datetime in
 * milliseconds, UTC.
 */
export function toPublicationsFrame(
  rows: readonly PublicationRow[],
): TypedFrame<PublicationColumns> {
  const facts = rows.map(({ check, receipt, ...row }) => ({
    ...check,
    ...receipt,
    ...row,
    tickers: check.coverage.tickers,
  }));
  const frame = frameOfObjects(facts, COLUMNS, {});
  return markSynthetic(frame, rows.map(({ receipt }) => receipt.source));
}
