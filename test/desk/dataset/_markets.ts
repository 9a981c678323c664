import pl, { type DataFrame } from "nodejs-polars";
import { marketSessions, randomOf, toFrame } from "../../analysis/_frames.ts";

/** A market whose scores and prices have every kind of gap. */
export interface GappyMarket {
  readonly scores: DataFrame;
  readonly prices: DataFrame;
  readonly groups: DataFrame;
  /** The sessions, in days since 1970-01-01. */
  readonly days: readonly number[];
}

/**
 * The same market for the same seed: names that end, pause for months, are never priced or enter late; sessions without any
 * score, scores on weekends, scores that stay the same for longer than any margin; prices that begin before the scores and
 * end before or after them.
 */
export function gappyMarket(seed: number, count = 230, names = 16): GappyMarket {
  const random = randomOf(seed);
  const dates = marketSessions(count);
  const quiet = spanIn(count, random() < 0.5 ? 5 : 90, random);
  const unpriced = random() < 0.5 ? 0 : Math.floor(random() * 12);
  const late = random() < 0.5 ? 0 : Math.floor(random() * 80);
  const scores: Record<string, unknown>[] = [];
  const prices: Record<string, unknown>[] = [];
  for (let name = 0; name < names; name++) {
    const ticker = `T${String(name).padStart(2, "0")}`;
    const pause = spanIn(count, Math.floor(random() * 90), random);
    const end = random() < 0.15 ? Math.floor(random() * count) : count;
    const isSticky = random() < 0.3;
    let [close, score] = [50 + 50 * random(), random()];
    for (const [d, date] of dates.entries()) {
      close *= 1 + 0.04 * (random() - 0.5);
      if (name !== 3 && d < Math.min(end, count - unpriced) && !pause(d)) {
        if (random() > 0.02) prices.push({ date, ticker, close: random() < 0.03 ? null : close });
      }
      if (!isSticky || random() < 0.01) score = Math.round(random() * 12) / 10;
      if (d < late || quiet(d) || random() < 0.05) continue;
      scores.push({ date, ticker, score: score > 1 ? null : score });
    }
    scores.push({ date: "2026-06-06", ticker, score: 0.5 });
  }
  return {
    scores: toFrame(scores, "score"),
    prices: toFrame(prices, "close"),
    groups: pl.DataFrame({
      ticker: Array.from({ length: names }, (_, name) => `T${String(name).padStart(2, "0")}`),
      group: Array.from({ length: names }, (_, name) => ["Banks", "Energy"][name % 2]!),
    }),
    days: dates.map((date) => Date.parse(date) / 86_400_000),
  };
}

/** The scores of some sessions as live sets that were published at odd hours, some of them checked as stale. */
export function toLiveSets(scores: DataFrame, seed: number): DataFrame {
  const random = randomOf(seed);
  const rows = scores.toRecords() as { date: string; ticker: string; score: number | null }[];
  const dates = [...new Set(rows.map(({ date }) => date))].toSorted();
  const chosen = dates.filter((_, i) => i === 0 || random() < 0.15);
  const sets = new Map(chosen.map((date) => {
    const at = Date.parse(date) + Math.floor(random() * 24 * 60) * 60_000;
    const calculated = at - Math.floor(random() * 5) * 86_400_000;
    return [date, { at, calculated, status: random() < 0.2 ? "stale" : "current" }];
  }));
  const live = rows.flatMap((row) => {
    const set = sets.get(row.date);
    return set === undefined ? [] : [{ ...row, ...set }];
  });
  const instants = (name: "at" | "calculated", column: string) =>
    pl.Series(column, live.map((row) => new Date(row[name])), pl.Datetime("ms", "UTC"));
  return pl.DataFrame([
    instants("at", "at"),
    instants("calculated", "calculated_at"),
    pl.Series("ticker", live.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", live.map(({ score }) => score), pl.Float64),
    pl.Series("status", live.map(({ status }) => status), pl.Utf8),
  ]);
}

function spanIn(count: number, length: number, random: () => number): (d: number) => boolean {
  const from = Math.floor(random() * count);
  return (d) => d >= from && d < from + length;
}
