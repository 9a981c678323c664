import type { Marks } from "../../dense/dense_scores.ts";
import type { PriceGrid } from "./price_grid.ts";
import { lastPlaces, padded, type WindowRules } from "./window_returns.ts";

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
  const marks = new Float64Array(width).fill(NaN);
  for (let s = 0; s < sessions; s++) {
    const d = s - entryLag;
    for (let name = 0; name < width; name++) {
      const price = prices[s * width + name]!;
      if (price !== price) continue;
      if (d >= 0) priced[d * width + name] = 1;
      if (d >= 1) moves[(d - 1) * width + name] = price / marks[name]! - 1;
      marks[name] = price;
    }
  }
  const ends = new Int32Array(width).fill(sessions + 1);
  const until = width === 0 ? 0 : Math.floor(priced.lastIndexOf(1) / width);
  // Without a rule for them, stocks that ended are told from those whose close comes back by later prices alone.
  if (missing === "pad" || ended === "null") return { moves, priced, ends, until };
  for (const [name, last] of lastPlaces(grid, rules.later).entries()) {
    if (last === -1 || last >= sessions - 1) continue;
    const d = last - entryLag;
    ends[name] = d + 1;
    if (d >= 0) moves[d * width + name] = typeof ended === "object" ? ended.return : 0;
  }
  return { moves, priced, ends, until };
}
