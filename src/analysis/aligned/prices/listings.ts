import type { PriceGrid } from "./price_grid.ts";

/**
 * Spans of sessions in which each ticker names one stock. A stock without a close for longer than any halt has ended; what has the ticker
 * afterwards is another one, so that no return and no position crosses the gap.
 */
export interface Listings {
  /** The last session of each listing by ticker, ascending. */
  readonly lasts: readonly (readonly number[])[];
  /** First session of each listing that follows a gap, by session and ticker. */
  readonly relisted: readonly Relisted[];
}

/** A listing under a ticker that an ended one had. */
interface Relisted {
  readonly ticker: number;
  /** Last session of the listing before it. */
  readonly last: number;
  readonly first: number;
}

/**
 * Finds the listings of each ticker.
 *
 * @param maxGap Sessions without a close after which a listing has ended; `null` if none ends so
 */
export function listingsOf(
  { prices, days, tickers }: Pick<PriceGrid, "prices" | "days" | "tickers">,
  maxGap: number | null,
): Listings {
  const width = tickers.length;
  const last = new Int32Array(width).fill(-1);
  const lasts: number[][] = tickers.map(() => []);
  const relisted: Relisted[] = [];
  for (let d = 0; d < days.length; d++) {
    for (let t = 0; t < width; t++) {
      const price = prices[d * width + t]!;
      if (price !== price) continue;
      const before = last[t]!;
      if (maxGap !== null && before !== -1 && d - before - 1 > maxGap) {
        lasts[t]!.push(before);
        relisted.push({ ticker: t, last: before, first: d });
      }
      last[t] = d;
    }
  }
  for (let t = 0; t < width; t++) {
    if (last[t] !== -1) lasts[t]!.push(last[t]!);
  }
  return { lasts, relisted };
}

/** The last session of the listing that a ticker has in a session with a price; -1 if it goes on. */
export function lastFrom({ lasts }: Listings, ticker: number, session: number): number {
  for (const last of lasts[ticker]!) if (last >= session) return last;
  return -1;
}
