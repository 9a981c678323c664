import pl, { type DataFrame } from "nodejs-polars";
import { listSessionDays } from "../../src/base/calendar/list_sessions.ts";

/** A small market with gaps, delisted names, names that are never priced, piles of equal scores and unscored names. */
export interface SmallMarket {
  readonly scores: DataFrame;
  readonly prices: DataFrame;
  readonly groups: DataFrame;
  readonly sessions: readonly string[];
}

/** Sessions of the US market from 2026-01-05 on. */
export function marketSessions(count: number): string[] {
  const from = Date.UTC(2026, 0, 5) / 86_400_000;
  return listSessionDays(from, from + Math.ceil(1.5 * count) + 7).slice(0, count)
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
}

/** The same market for the same seed. */
export function smallMarket(seed: number, names = 25, count = 40): SmallMarket {
  const random = randomOf(seed);
  const sessions = marketSessions(count);
  const scores: Record<string, unknown>[] = [];
  const prices: Record<string, unknown>[] = [];
  for (let name = 0; name < names; name++) {
    const ticker = `T${String(name).padStart(2, "0")}`;
    const end = random() < 0.15 ? Math.floor(random() * count) : count;
    const isPriced = name !== 3;
    let close = 50 + 50 * random();
    for (const [d, date] of sessions.entries()) {
      close *= 1 + 0.04 * (random() - 0.5);
      if (isPriced && d < end && random() > 0.03) {
        prices.push({ date, ticker, close: random() < 0.03 ? null : close });
      }
      if (random() < 0.05) continue;
      const score = Math.round(random() * 12) / 10;
      scores.push({ date, ticker, score: score > 1 ? null : score });
    }
  }
  return {
    scores: toFrame(scores, "score"),
    prices: toFrame(prices, "close"),
    groups: pl.DataFrame({
      ticker: Array.from({ length: names }, (_, name) => `T${String(name).padStart(2, "0")}`),
      group: Array.from({ length: names }, (_, name) => ["Banks", "Energy", "Tech"][name % 3]!),
    }),
    sessions,
  };
}

/** The rows of a frame in another order. */
export function shuffled(frame: DataFrame, seed: number): DataFrame {
  const random = randomOf(seed);
  const keys = Float64Array.from({ length: frame.height }, random);
  return frame.withColumns(pl.Series("key", keys, pl.Float64)).sort("key").drop("key");
}

/** The rows up to a date. */
export function until(frame: DataFrame, date: string): DataFrame {
  return frame.filter(pl.col("date").ltEq(pl.lit(date)));
}

/** Rows with a text `date` and `ticker`, and a number. */
export function toFrame(rows: readonly Record<string, unknown>[], value: string): DataFrame {
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date as string), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker as string), pl.Utf8),
    pl.Series(value, rows.map((row) => row[value] as number | null), pl.Float64),
  ]);
}

/** Numbers in [0, 1), the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
