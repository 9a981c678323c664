import pl, { type DataFrame } from "nodejs-polars";
import { listSessionDays } from "../../src/base/calendar/list_sessions.ts";
import { randomSource } from "../../src/analysis/inference/bootstrap.ts";

/** A market of names with prices, and scores that are made from the next return and noise. */
export interface Market {
  readonly scores: DataFrame;
  readonly prices: DataFrame;
}

const DAY = 86_400_000;

/**
 * A market of so many sessions with scores.
 *
 * @param scoreOf The score of a name from its return until the next session and a number from 0 to 1; `null` for none
 */
export function makeMarket(
  sessions: number,
  scoreOf: (next: number, noise: number) => number | null,
  { names = 12, seed = 1 } = {},
): Market {
  const random = randomSource(seed);
  const dates = sessionDates(sessions + 1);
  const tickers = Array.from({ length: names }, (_, i) => `T${i}`);
  const closes = tickers.map(() => 100);
  const rows = dates.flatMap((date, d) =>
    tickers.map((ticker, i) => {
      const next = 0.02 * (random.uniform() + random.uniform() - 1);
      const close = closes[i]!;
      closes[i] = close * (1 + next);
      return { date, ticker, close, score: d < sessions ? scoreOf(next, random.uniform()) : null };
    })
  );
  const scored = rows.slice(0, sessions * names);
  return {
    prices: pl.DataFrame([
      pl.Series("date", rows.map(({ date }) => date), pl.Date),
      pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("close", rows.map(({ close }) => close), pl.Float64),
    ]),
    scores: pl.DataFrame([
      pl.Series("date", scored.map(({ date }) => date), pl.Date),
      pl.Series("ticker", scored.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("score", scored.map(({ score }) => score), pl.Float64),
    ]),
  };
}

/** Sessions of the US market from 2010-01-04 on. */
function sessionDates(count: number): readonly Date[] {
  const from = Date.UTC(2010, 0, 4) / DAY;
  return listSessionDays(from, from + Math.ceil(1.5 * count) + 7).slice(0, count)
    .map((day) => new Date(day * DAY));
}
