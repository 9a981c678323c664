import type { Marks } from "../../dense/dense_scores.ts";
import type { PriceGrid } from "./price_grid.ts";
import { padded, type WindowRules } from "./window_returns.ts";

/** Marks of every session and ticker of the prices, from the entry of each session on. */
export function priceMarks(
  grid: Pick<PriceGrid, "days" | "tickers" | "prices">,
  rules: WindowRules,
): Marks {
  const { days, tickers } = grid;
  const { entryLag, ended, missing } = rules;
  const [width, sessions] = [tickers.length, days.length];
  const prices = missing === "pad" ? padded(grid) : grid.prices;
  const priced = new Uint8Array((sessions + 1) * width);
  const moves = new Float64Array(sessions * width).fill(NaN);
  const ends = new Uint8Array(sessions * width);
  const marks = new Float64Array(width).fill(NaN);
  const begun = new Set(rules.listings.relisted.map(({ first, ticker }) => first * width + ticker));
  for (let s = 0; s < sessions; s++) {
    const d = s - entryLag;
    for (let name = 0; name < width; name++) {
      const price = prices[s * width + name]!;
      if (price !== price) continue;
      if (begun.has(s * width + name)) marks[name] = NaN;
      if (d >= 0) priced[d * width + name] = 1;
      if (d >= 1) moves[(d - 1) * width + name] = price / marks[name]! - 1;
      marks[name] = price;
    }
  }
  const until = width === 0 ? 0 : Math.floor(priced.lastIndexOf(1) / width);
  for (const [session, name] of endings(rules)) {
    const cell = (session - entryLag) * width + name;
    if (cell < 0 || session >= sessions - 1) continue;
    ends[cell] = 1;
    moves[cell] = typeof ended === "object" ? ended.return : 0;
  }
  return { moves, priced, ends, until };
}

/** The sessions and tickers from which on a position is cash. */
function endings(
  { listings, missing, ended }: WindowRules,
): readonly (readonly [number, number])[] {
  // Without a rule for them, stocks that ended are told from those whose close comes back by later prices alone.
  return missing === "pad" || ended === "null"
    ? listings.relisted.map(({ first, ticker }) => [first - 1, ticker] as const)
    : listings.lasts.flatMap((lasts, name) => lasts.map((last) => [last, name] as const));
}
