import pl, { type DataFrame } from "nodejs-polars";
import { markWholeRelease } from "../../../src/frames/frame/release/release_frame.ts";

/** Tickers that a reader may take for something else, scores that are missing or zero, two turns of a year. */
const ROWS: readonly (readonly [date: string, ticker: string, score: number | null])[] = [
  ["2026-01-02", "TRUE", 0.1],
  ["2024-12-31", "NA", 0],
  ["2024-12-31", "1E5", null],
  ["2025-01-02", "0012", 1 / 3],
  ["2025-12-31", "-", 1],
  ["2025-12-31", "1E5", 5e-324],
];

/** A whole release of `ecqdi`, not in order. */
export const RELEASE = markWholeRelease(
  pl.DataFrame([
    pl.Series("date", ROWS.map(([date]) => new Date(date)), pl.Date),
    pl.Series("ticker", ROWS.map(([, ticker]) => ticker), pl.Categorical),
    pl.Series("ecqdi_score", ROWS.map(([, , score]) => score), pl.Float64),
  ]).withColumns(
    pl.lit("ecqdi").cast(pl.Categorical).alias("factor"),
    pl.lit("2.1.0").alias("factor_version"),
    pl.lit("abc").cast(pl.Categorical).alias("download_sha256"),
    pl.lit("synthetic, store").alias("source"),
    pl.lit(new Date("2026-11-20T15:00:00.123Z")).cast(pl.Datetime("ms", "UTC"))
      .alias("retrieved_at"),
  ),
);

/** A panel of `ecpnd`, one decision shortly after midnight in UTC, which is the evening before in New York. */
export const PANEL = pl.DataFrame([
  pl.Series(
    "at",
    ["2026-01-01T01:00:00.000Z", "2026-01-01T21:00:00.500Z"].map((at) => new Date(at)),
    pl.Datetime("ms", "UTC"),
  ),
  pl.Series("ticker", ["AAA", "AAA"], pl.Utf8),
  pl.Series("ecpnd_score", [0.25, null], pl.Float64),
  pl.Series("snapshot_id", ["s1", "s2"], pl.Utf8),
  pl.Series("status", ["current", "stale"], pl.Utf8),
]);

/** Prices of one name over the turn of a year. */
export const PRICES = pl.DataFrame([
  pl.Series("date", ["2025-12-31", "2026-01-02"].map((date) => new Date(date)), pl.Date),
  pl.Series("ticker", ["AAA", "AAA"], pl.Utf8),
  pl.Series("close", [100.1, null], pl.Float64),
]);

/** Columns of a frame as plain rows: dates as texts, instants with milliseconds, null as null. */
export function plainRows(frame: DataFrame, columns: readonly string[]): readonly unknown[][] {
  return frame.select(...columns).rows().map((row: readonly unknown[]) =>
    row.map((value, i) =>
      value instanceof Date
        ? value.toISOString().slice(0, columns[i] === "date" ? 10 : undefined)
        : value ?? null
    )
  );
}
