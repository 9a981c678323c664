import type { DataFrame } from "nodejs-polars";
import {
  type CountedLine,
  countRows,
  type LossShare,
} from "../../../../analysis/aligned/losses/count_losses.ts";
import type { ForwardReturns } from "../../../../analysis/aligned/prices/forward_returns.ts";
import type { NotedGrid, PriceNoteKind } from "../../../../analysis/aligned/prices/price_notes.ts";
import type { PlacedRows } from "../../../../analysis/aligned/sessions/place_rows.ts";
import { frameOfRows, type RowColumn } from "../../../../analysis/table/frame_of_rows.ts";
import type { DaySpan, PartTableName } from "../part_tables.ts";

/** A note on a date of the prices. */
export type DateNote = Extract<PriceNoteKind, "missing_session" | "stray_date" | "running">;

const SHARE_COLUMNS: readonly RowColumn<LossShare>[] = [
  { name: "reason", type: "text", read: ({ reason }) => reason },
  { name: "horizon", type: "count", read: ({ horizon }) => horizon },
  { name: "rows", type: "count", read: ({ rows }) => rows },
];

const LINE_COLUMNS: readonly RowColumn<CountedLine>[] = [
  { name: "reason", type: "text", read: ({ reason }) => reason },
  { name: "horizon", type: "count", read: ({ horizon }) => horizon },
  { name: "rows", type: "count", read: ({ rows }) => rows },
  { name: "is_late", type: "count", read: ({ isLate }) => Number(isLate) },
  { name: "sessions", type: "count", read: ({ sessions }) => sessions },
  { name: "first_session", type: "day", read: ({ first }) => first },
  { name: "last_session", type: "day", read: ({ last }) => last },
];

const DATE_NOTES: readonly (readonly [DateNote, (grid: NotedGrid) => readonly number[]])[] = [
  ["missing_session", ({ missingDays }) => missingDays],
  ["stray_date", ({ strayDays }) => strayDays],
  ["running", ({ runningDay }) => runningDay === null ? [] : [runningDay]],
];

/** Counts the losses and tickers of a part, in tables that can be summed. */
export function countPart(
  placed: PlacedRows,
  own: DaySpan,
): readonly (readonly [PartTableName, DataFrame])[] {
  const { lines, split } = countRows(placed);
  const splitBy = (by: "ticker" | "status") => {
    const { names, shares } = split(by);
    const text = ({ key }: LossShare) => names[key] ?? null;
    return frameOfRows(shares, [{ name: by, type: "text", read: text }, ...SHARE_COLUMNS]);
  };
  const bySession = frameOfRows(split("session").shares, [
    { name: "session", type: "day", read: ({ key }) => key },
    ...SHARE_COLUMNS,
  ]);
  return [
    ["counts", countsOf(placed)],
    ["losses", frameOfRows(lines, LINE_COLUMNS)],
    ["loss_examples", examplesOf(lines)],
    ["losses_by_session", bySession],
    ["losses_by_ticker", splitBy("ticker")],
    ["losses_by_status", splitBy("status")],
    ["price_notes", notesOf(placed.returns, own)],
    ["tickers", tickersOf(placed, own)],
  ];
}

/** Notes on the dates of a part's prices; those on its closes need the closes before. */
function notesOf({ grid }: ForwardReturns, own: DaySpan): DataFrame {
  const notes = DATE_NOTES.flatMap(([what, daysOf]) => daysOf(grid).map((day) => ({ what, day })));
  return frameOfRows(notes.filter(({ day }) => day >= own.from && day <= own.to), [
    { name: "session", type: "day", read: ({ day }) => day },
    { name: "what", type: "text", read: ({ what }) => what },
  ]);
}

function examplesOf(lines: readonly CountedLine[]): DataFrame {
  return frameOfRows(lines.flatMap((line) => line.examples.map((text) => ({ line, text }))), [
    { name: "reason", type: "text", read: ({ line }) => line.reason },
    { name: "horizon", type: "count", read: ({ line }) => line.horizon },
    { name: "example", type: "text", read: ({ text }) => text },
  ]);
}

function countsOf({ rows, counted, places, refused }: PlacedRows): DataFrame {
  let [all, placed] = [0, 0];
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (counted?.[time] === 0) continue;
    all++;
    if (places.fates[time] === null && (refused?.[row] ?? 0) === 0) placed++;
  }
  return frameOfRows([{ all, placed }], [
    { name: "rows", type: "count", read: (row) => row.all },
    { name: "placed_rows", type: "count", read: (row) => row.placed },
  ]);
}

/** The tickers of the scores and of the prices of a part. */
function tickersOf({ rows, counted, returns: { grid } }: PlacedRows, own: DaySpan): DataFrame {
  const scored = new Set<string>();
  for (let row = 0; row < rows.height; row++) {
    if (counted?.[rows.timeOf[row]!] === 1) scored.add(rows.tickers[rows.tickerOf[row]!]!);
  }
  const priced = new Set<string>();
  const width = grid.tickers.length;
  for (let cell = 0; cell < grid.present.length; cell++) {
    const day = grid.days[Math.floor(cell / width)]!;
    if (grid.present[cell] === 1 && day >= own.from && day <= own.to) {
      priced.add(grid.tickers[cell % width]!);
    }
  }
  const all = [...new Set([...scored, ...priced])].toSorted((a, b) => a < b ? -1 : 1);
  return frameOfRows(all, [
    { name: "ticker", type: "text", read: (ticker) => ticker },
    { name: "scored", type: "count", read: (ticker) => scored.has(ticker) ? 1 : 0 },
    { name: "priced", type: "count", read: (ticker) => priced.has(ticker) ? 1 : 0 },
  ]);
}
