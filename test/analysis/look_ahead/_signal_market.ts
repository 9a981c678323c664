import pl, { type DataFrame } from "nodejs-polars";
import { marketSessions, randomOf } from "../_frames.ts";

const SESSIONS = marketSessions(120);
const TICKERS = Array.from({ length: 24 }, (_, i) => `T${String(i).padStart(2, "0")}`);

/** Frames of a market with gaps, a listing, ends, filings that are restated, and reports that are announced late. */
export interface SignalMarket extends Record<string, DataFrame> {
  readonly prices: DataFrame;
  readonly filings: DataFrame;
  readonly groups: DataFrame;
}

const dates = (texts: readonly string[]) => texts.map((text) => new Date(`${text}T00:00:00Z`));

/** The same market for the same seed. */
export function signalMarket(seed: number): SignalMarket {
  const random = randomOf(seed);
  const rows: { date: string; ticker: string; close: number | null }[] = [];
  const filed: { date: string; known_at: string; ticker: string; earnings: number }[] = [];
  for (const [name, ticker] of TICKERS.entries()) {
    let close = 50 + 50 * random();
    const [from, to] = [name === 20 ? 60 : 0, name % 6 === 5 ? 88 + name : 120];
    for (const [d, date] of SESSIONS.entries()) {
      close *= 1 + 0.04 * (random() - 0.5);
      if (d < from || d >= to) continue;
      // Two or three gaps of one to six sessions a ticker.
      const isGap = (d + 11 * name) % 41 < name % 7;
      rows.push({ date, ticker, close: isGap ? null : close });
      if ((d + 7 * name) % 30 !== 0 || d + 25 >= 120) continue;
      for (const [i, lag] of [2, 24].entries()) {
        filed.push({ date, known_at: SESSIONS[d + lag]!, ticker, earnings: 1 + random() + i });
      }
    }
  }
  return {
    prices: pl.DataFrame([
      pl.Series("date", dates(rows.map(({ date }) => date)), pl.Date),
      pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("close", rows.map(({ close }) => close), pl.Float64),
    ]).sort(["date", "ticker"]),
    filings: pl.DataFrame([
      pl.Series("date", dates(filed.map(({ date }) => date)), pl.Date),
      pl.Series("known_at", dates(filed.map(({ known_at }) => known_at)), pl.Date),
      pl.Series("ticker", filed.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("earnings", filed.map(({ earnings }) => earnings), pl.Float64),
    ]).sort(["known_at", "ticker"]),
    groups: pl.DataFrame({
      ticker: TICKERS,
      group: TICKERS.map((_, name) => ["Banks", "Energy", "Tech"][name % 3]!),
    }),
  };
}

/** A value, or none. */
export type Value = number | null;
/** Values by ticker and day. */
export type Grid = ReadonlyMap<string, ReadonlyMap<number, Value>>;

/** A column of a frame by ticker and day. */
export function gridOf(frame: DataFrame, column: string): Grid {
  const grid = new Map<string, Map<number, Value>>();
  const [tickers, days, values] = ["ticker", "date", column].map((name): unknown[] =>
    frame.getColumn(name).toArray()
  );
  for (const [i, ticker] of (tickers as string[]).entries()) {
    const row = grid.get(ticker) ?? new Map<number, Value>();
    row.set((days as Date[])[i]!.getTime(), values![i] as Value);
    grid.set(ticker, row);
  }
  return grid;
}

/** A function of the values of each ticker, in the order of its days. */
export function byTicker(
  grid: Grid,
  work: (values: readonly Value[], days: readonly number[], ticker: string) => readonly Value[],
): Grid {
  return new Map([...grid].map(([ticker, row]) => {
    const days = [...row.keys()].sort((a, b) => a - b);
    const values = work(days.map((day) => row.get(day) ?? null), days, ticker);
    return [ticker, new Map(days.map((day, i) => [day, values[i] ?? null]))];
  }));
}

/** A function of the values of each day, in the order of tickers; nulls are left out. */
export function byDay(
  grid: Grid,
  work: (values: readonly number[], tickers: readonly string[]) => readonly Value[],
): Grid {
  const days = new Map<number, [string, number][]>();
  for (const [ticker, row] of grid) {
    for (const [day, value] of row) {
      if (value !== null) days.set(day, [...days.get(day) ?? [], [ticker, value]]);
    }
  }
  const made = new Map([...grid.keys()].map((ticker) => [ticker, new Map<number, Value>()]));
  for (const [day, cells] of days) {
    cells.sort(([a], [b]) => a < b ? -1 : 1);
    const values = work(cells.map(([, value]) => value), cells.map(([ticker]) => ticker));
    for (const [i, [ticker]] of cells.entries()) made.get(ticker)!.set(day, values[i]!);
  }
  return made;
}

/** A frame of date, ticker and score. */
export function frameOf(grid: Grid): DataFrame {
  const rows = [...grid].flatMap(([ticker, row]) =>
    [...row].map(([day, score]) => ({ day, ticker, score }))
  );
  return pl.DataFrame([
    pl.Series("date", rows.map(({ day }) => new Date(day)), pl.Date),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ score }) => score), pl.Float64),
  ]);
}

/** The values that are there. */
export function present(values: readonly Value[]): number[] {
  return values.filter((value) => value !== null);
}

/** Mean and standard deviation of the values that are there; `null` of fewer than two. */
export function momentsOf(values: readonly Value[]): { mean: number; sd: number } | null {
  const there = present(values);
  if (there.length < 2) return null;
  const mean = there.reduce((sum, value) => sum + value, 0) / there.length;
  const squares = there.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return squares === 0 ? null : { mean, sd: Math.sqrt(squares / (there.length - 1)) };
}

/** Values less their mean, over their standard deviation. */
export function standardized(values: readonly Value[], of = momentsOf(values)): Value[] {
  return values.map((value) => value === null || of === null ? null : (value - of.mean) / of.sd);
}

/** Ranks among the values that are there, from 0 to 1. */
export function ranked(values: readonly Value[]): Value[] {
  const sorted = present(values).sort((a, b) => a - b);
  return values.map((value) => value === null ? null : sorted.indexOf(value) / sorted.length);
}
