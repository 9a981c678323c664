import pl, { type DataFrame } from "nodejs-polars";
import { WEEKDAY, weekdayOf } from "../../../calendar/civil_date.ts";
import { dayColumn, numberColumn } from "../../table/make_columns.ts";
import type { PriceGrid } from "./price_grid.ts";

const LARGE_MOVE = 5;

interface Note {
  readonly day: number;
  readonly ticker: string | null;
  readonly what: "large_move" | "resumed" | "weekend";
  readonly value: number;
}

/** What to look at in the prices, possible mistakes and gaps: one row a finding, by session and ticker. Nothing is changed. */
export function toPriceNotes(grid: PriceGrid): DataFrame {
  const notes = [...weekends(grid), ...largeMoves(grid), ...resumed(grid)].toSorted((a, b) =>
    a.day - b.day
  );
  return pl.DataFrame([
    dayColumn("session", Int32Array.from(notes, ({ day }) => day)),
    pl.Series("ticker", notes.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("what", notes.map(({ what }) => what), pl.Utf8),
    numberColumn("value", Float64Array.from(notes, ({ value }) => value)),
  ]);
}

function weekends({ days }: PriceGrid): readonly Note[] {
  return [...days].filter((day) =>
    weekdayOf(day) === WEEKDAY.saturday || weekdayOf(day) === WEEKDAY.sunday
  ).map((day) => ({ day, ticker: null, what: "weekend", value: NaN }));
}

function largeMoves({ days, tickers, prices }: PriceGrid): readonly Note[] {
  const names = tickers.length;
  const notes: Note[] = [];
  for (let cell = names; cell < prices.length; cell++) {
    const value = prices[cell]! / prices[cell - names]!;
    if (value > LARGE_MOVE || value < 1 / LARGE_MOVE) {
      const day = days[Math.floor(cell / names)]!;
      notes.push({ day, ticker: tickers[cell % names]!, what: "large_move", value });
    }
  }
  return notes;
}

// Prices that end within such a gap give returns to a last close, which later prices take back.
function resumed({ days, tickers, prices }: PriceGrid): readonly Note[] {
  const names = tickers.length;
  const last = new Int32Array(names).fill(-1);
  const notes: Note[] = [];
  for (let cell = 0; cell < prices.length; cell++) {
    if (prices[cell] !== prices[cell]) continue;
    const [d, t] = [Math.floor(cell / names), cell % names];
    const gap = last[t] === -1 ? 0 : d - last[t]! - 1;
    if (gap > 0) notes.push({ day: days[d]!, ticker: tickers[t]!, what: "resumed", value: gap });
    last[t] = d;
  }
  return notes;
}
