import pl, { type DataFrame } from "nodejs-polars";
import { WEEKDAY, weekdayOf } from "../../calendar/civil_date.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import type { PriceGrid } from "./price_grid.ts";

const LARGE_MOVE = 5;

interface Note {
  readonly day: number;
  readonly ticker: string | null;
  readonly what: "large_move" | "weekend";
  readonly value: number;
}

/** What in the prices looks like a mistake: one row a finding, by session and ticker. Nothing is changed. */
export function toPriceNotes(grid: PriceGrid): DataFrame {
  const notes = [...weekends(grid), ...largeMoves(grid)].toSorted((a, b) => a.day - b.day);
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
