import type { Instant } from "../../../base/contract/instant.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { ColumnsOf } from "../typed/columns.ts";
import { frameOfObjects } from "../typed/frame_of.ts";
import type { TypedFrame } from "../typed/typed_frame.ts";

const COLUMNS = {
  factor: "text",
  download_sha256: "text",
  factor_version: "text",
  universe: "text",
  availability: "text",
  first_session: "date",
  last_session: "date",
  sessions: "count",
  tickers: "count",
  row_count: "count",
  size_bytes: "number",
  retrieved_at: "instant",
  path: "text",
} as const;

/**
 * Columns of a list of releases.
 *
 * @internal
 */
export type ReleaseListColumns = ColumnsOf<typeof COLUMNS>;

/** One release of a store, as a row of the releases frame. */
export interface ReleaseRow {
  /** Metadata of the release. */
  readonly release: Release;
  /** Time of receipt. */
  readonly availableFrom: Instant;
  /** Path of the compressed file. */
  readonly path: string;
  /** Size of the compressed file. */
  readonly sizeBytes: number;
}

/**
 * The frame of a store's releases: one row per release, in the order given.
 *
 * Columns: `factor`, `download_sha256`, `factor_version`, `universe`, `availability` (Utf8), `first_session`, `last_session`
 * (Date), `sessions`, `tickers`, `row_count` (Int32), `size_bytes` (Float64), `retrieved_at` (Datetime in milliseconds, UTC)
 * and `path`. Facts that the metadata does not state are null.
 */
export function toReleasesFrame(rows: readonly ReleaseRow[]): TypedFrame<ReleaseListColumns> {
  const facts = rows.map(({ release, ...file }) => ({ ...release, ...file }));
  return frameOfObjects(facts, COLUMNS, {
    row_count: (row) => row.rows,
    retrieved_at: (row) => row.availableFrom,
  });
}
