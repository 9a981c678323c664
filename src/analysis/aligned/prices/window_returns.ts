import type { Reason } from "../../reason.ts";
import { lastFrom, type Listings } from "./listings.ts";
import type { PriceGrid } from "./price_grid.ts";

/** Treatment of a window whose stock has its last close in the session of entry or later, and before the window ends. */
export type Ended = "last" | "null" | { readonly return: number };

/** Rules of return windows. */
export interface WindowRules {
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Treatment of a missing close: null, or the last one before it. */
  readonly missing: "null" | "pad";
  /** Treatment of a window whose stock has its last close at its entry or inside it. */
  readonly ended: Ended;
  /** Spans in which each ticker names one stock. */
  readonly listings: Listings;
}

/** The forward returns of one horizon, laid out as the prices are. */
export interface WindowReturns {
  /** The return; NaN for null. */
  readonly values: Float64Array;
  /** Reason why the return is null or ends early, as an index into the reasons. */
  readonly why: Uint8Array;
}

/** Meaning of the codes in `why`; 0 is a plain return. */
export const WINDOW_REASONS: readonly (Reason | null)[] = [
  null,
  "ended",
  "no_entry_price",
  "beyond_prices",
  "no_exit_price",
];
/** Index of each reason. */
export const WHY = { plain: 0, ended: 1, noEntry: 2, beyond: 3, noExit: 4 } as const;

/** Returns over windows of a given number of sessions from the entry. */
export function windowReturns(grid: PriceGrid, horizon: number, rules: WindowRules): WindowReturns {
  const names = grid.tickers.length;
  const prices = rules.missing === "pad" ? padded(grid) : grid.prices;
  const values = new Float64Array(prices.length);
  const why = new Uint8Array(prices.length);
  const whyNot = reasonOf({ grid, prices, values, why }, rules);
  const toEntry = rules.entryLag * names;
  const toExit = toEntry + horizon * names;
  const whole = Math.max(0, prices.length - toExit);
  for (let cell = 0; cell < whole; cell++) {
    const gain = prices[cell + toExit]! / prices[cell + toEntry]! - 1;
    values[cell] = gain;
    if (gain !== gain) whyNot(cell, cell + toEntry, cell + toExit);
  }
  values.fill(NaN, whole);
  for (let cell = whole; cell < values.length; cell++) {
    whyNot(cell, cell + toEntry, cell + toExit);
  }
  // Both ends of these windows have a close, of two stocks.
  for (const { ticker, last, first } of rules.listings.relisted) {
    for (let entry = Math.max(rules.entryLag, first - horizon); entry <= last; entry++) {
      const cell = entry * names + ticker - toEntry;
      if (values[cell] !== values[cell]) continue;
      if (entry + horizon < first) continue;
      values[cell] = NaN;
      whyNot(cell, cell + toEntry, cell + toExit);
    }
  }
  return { values, why };
}

interface Windows extends WindowReturns {
  readonly grid: PriceGrid;
  readonly prices: Float64Array;
}

/** Records the reason why a cell has no plain return, and the return of a stock that ended. */
function reasonOf({ grid, prices, values, why }: Windows, { ended, listings }: WindowRules) {
  const names = grid.tickers.length;
  return (cell: number, entry: number, exit: number): void => {
    const paid = entry < prices.length ? prices[entry]! : NaN;
    if (entry >= prices.length) why[cell] = WHY.beyond;
    else if (paid !== paid) why[cell] = WHY.noEntry;
    else if (exit >= prices.length) why[cell] = WHY.beyond;
    else {
      const ticker = cell % names;
      const end = ended === "null" ? -1 : lastFrom(listings, ticker, Math.floor(entry / names));
      if (ended !== "null" && end !== -1 && end * names + ticker < exit) {
        values[cell] = endedReturn(prices[end * names + ticker]! / paid, ended);
        why[cell] = WHY.ended;
      } else why[cell] = WHY.noExit;
    }
  };
}

function endedReturn(growth: number, ended: Exclude<Ended, "null">): number {
  return growth * (ended === "last" ? 1 : 1 + ended.return) - 1;
}

/** Prices with each gap filled by the last one before it. */
export function padded({ prices, tickers }: Pick<PriceGrid, "prices" | "tickers">): Float64Array {
  const names = tickers.length;
  const filled = prices.slice();
  for (let cell = names; cell < filled.length; cell++) {
    if (filled[cell] !== filled[cell]) filled[cell] = filled[cell - names]!;
  }
  return filled;
}
