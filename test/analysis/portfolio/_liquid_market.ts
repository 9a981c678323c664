import pl, { type DataFrame } from "nodejs-polars";
import { dateAfter } from "../series/_frames.ts";

const SESSIONS = 60;
const FIRST = 25;
const TICKERS = ["A", "B", "C", "D"];
const places = Array.from({ length: SESSIONS }, (_, d) => d);

const cells = places.flatMap((d) =>
  TICKERS.map((ticker, n) => ({ session: dateAfter(d), ticker, d, n }))
);

/** Four stocks over 60 sessions: returns, and target weights from the 26th session on. */
export const DATA: DataFrame = pl.DataFrame(
  cells.map(({ session, ticker, d, n }) => ({
    session,
    ticker,
    score: 1,
    return_1: 0.01 * Math.sin(1 + d * (n + 2)),
  })),
);

/** Their prices and volumes. */
export const MARKET: DataFrame = pl.DataFrame(
  cells.map(({ session, ticker, d, n }) => ({
    date: session,
    ticker,
    close: 10 + n + 0.5 * Math.cos(d),
    volume: 1000 * (1 + n) + 100 * ((d * 7 + n * 3) % 11),
    adjusted: "none",
  })),
);

/** Weights of a neutral book with a gross exposure of 1. */
export const WEIGHTS: DataFrame = pl.DataFrame(
  places.slice(FIRST).flatMap((d) => {
    const signals = TICKERS.map((_, n) => Math.cos(d * 0.3 + n * 1.7));
    const mean = signals.reduce((sum, signal) => sum + signal, 0) / signals.length;
    const gross = signals.reduce((sum, signal) => sum + Math.abs(signal - mean), 0);
    return signals.map((signal, n) => ({
      session: dateAfter(d),
      ticker: TICKERS[n]!,
      weight: (mean - signal) / gross,
    }));
  }),
);
