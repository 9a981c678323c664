import pl, { type DataFrame } from "nodejs-polars";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";

const DAY = 86_400_000;
/** Sessions of the frames, in days since 1970-01-01. */
export const DAYS: readonly number[] = listSessionDays(
  Date.UTC(2024, 0, 2) / DAY,
  Date.UTC(2026, 0, 1) / DAY,
);

/** Closes of so many tickers by session, rounded to cents. */
export type Closes = readonly (readonly (number | null)[])[];

/** Random walks of closes, each stock with its own price and volatility. */
export function walks(
  seed: number,
  { names = 12, sessions = 260, volatility = 0.02 } = {},
): Closes {
  const random = randomSource(seed);
  const normal = () =>
    Array.from({ length: 12 }, () => random.uniform()).reduce((a, b) => a + b) - 6;
  const levels = Array.from({ length: names }, () => 8 * Math.exp(3 * random.uniform()));
  const sizes = levels.map(() => volatility * (0.5 + random.uniform()));
  return Array.from({ length: sessions }, () =>
    levels.map((level, i) => {
      levels[i] = level * Math.exp(sizes[i]! * normal());
      return Math.max(0.01, Math.round(100 * levels[i]!) / 100);
    }));
}

/** The rows that have a close. */
export function frameOf(closes: Closes): DataFrame {
  const rows = closes.flatMap((section, d) =>
    section.map((close, t) => ({ day: DAYS[d]!, ticker: `T${t}`, close }))
  );
  return pl.DataFrame([
    pl.Series("date", rows.map(({ day }) => new Date(day * DAY)), pl.Date),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("close", rows.map(({ close }) => close), pl.Float64),
  ]).filter(pl.col("close").isNotNull());
}

/** The last value of each so many sessions on all of them. */
export const filled = (closes: Closes, every: number): Closes =>
  closes.map((_, d) => closes[d - d % every]!);
/** Closes with another value in some cells. */
export const change = (
  closes: Closes,
  of: (close: number, d: number, t: number) => number | null,
): Closes => closes.map((section, d) => section.map((close, t) => of(close!, d, t)));
