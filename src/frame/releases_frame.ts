import pl, { type DataFrame } from "nodejs-polars";
import type { CalendarDate, Instant } from "../contract/instant.ts";
import type { Release } from "../contract/release.ts";

/** One release of a store, as a row of the releases frame. */
export interface ReleaseRow {
  /** Metadata of the release. */
  readonly release: Release;
  /** When it was received. */
  readonly availableFrom: Instant;
  /** Path of the compressed file. */
  readonly path: string;
  /** Size of the compressed file. */
  readonly sizeBytes: number;
}

/**
 * The frame of a store's releases: one row per release, in the order given.
 *
 * Columns: `factor`, `download_sha256`, `factor_version`, `universe`, `availability` (Utf8), `first_session`,
 * `last_session` (Date), `sessions`, `tickers`, `row_count` (Int32), `size_bytes` (Float64), `retrieved_at` (Datetime in
 * milliseconds, UTC) and `path`. What the metadata do not state is null.
 */
export function toReleasesFrame(rows: readonly ReleaseRow[]): DataFrame {
  const text = (name: string, read: (row: ReleaseRow) => string | null) =>
    pl.Series(name, rows.map(read), pl.Utf8);
  const date = (name: string, read: (release: Release) => CalendarDate | null) =>
    pl.Series(name, rows.map(({ release }) => toDate(read(release))), pl.Date);
  // A null in an Int32 series would become 0 without a word: the cast keeps it null.
  const count = (name: string, read: (release: Release) => number | null) =>
    pl.Series(name, rows.map(({ release }) => read(release)), pl.Float64).cast(pl.Int32);
  return pl.DataFrame([
    text("factor", ({ release }) => release.factor),
    text("download_sha256", ({ release }) => release.downloadSha256),
    text("factor_version", ({ release }) => release.factorVersion),
    text("universe", ({ release }) => release.universe),
    text("availability", ({ release }) => release.availability),
    date("first_session", (release) => release.firstSession),
    date("last_session", (release) => release.lastSession),
    count("sessions", (release) => release.sessions),
    count("tickers", (release) => release.tickers),
    count("row_count", (release) => release.rows),
    pl.Series("size_bytes", rows.map(({ sizeBytes }) => sizeBytes), pl.Float64),
    pl.Series(
      "retrieved_at",
      rows.map(({ availableFrom }) => toDate(availableFrom)),
      pl.Datetime("ms", "UTC"),
    ),
    text("path", ({ path }) => path),
  ]);
}

function toDate(value: Instant | CalendarDate | null): Date | null {
  return value === null ? null : new Date(value);
}
