import pl, { type DataFrame } from "nodejs-polars";

const HOUR_MS = 3_600_000;

const FIVE_YEARS = 24 * (365 * 5 + 1);

/** One set of three tickers per day in the five years before 28 December 2025. */
export function dailySets(): DataFrame {
  return setsOf(Array.from({ length: FIVE_YEARS / 24 }, (_, i) => 24 * i - FIVE_YEARS));
}

/** Hourly sets of three tickers from 28 December 2025 on. */
export function hourlySets(from: number, to: number): DataFrame {
  return setsOf(Array.from({ length: to - from }, (_, i) => from + i));
}

function setsOf(hours: readonly number[]): DataFrame {
  const rows = hours.flatMap((hour) =>
    ["AAA", "BBB", "CCC"].map((ticker, i) => ({ hour, ticker, i }))
  );
  return pl.DataFrame([
    pl.Series("snapshot_id", rows.map(({ hour }) => `s${hour}`), pl.Utf8),
    pl.Series(
      "calculated_at",
      rows.map(({ hour }) => new Date(Date.UTC(2025, 11, 28) + hour * HOUR_MS)),
      pl.Datetime("ms", "UTC"),
    ),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ hour, i }) => i === 2 ? null : (hour % 7) / 7 + i), pl.Float64),
  ]);
}
