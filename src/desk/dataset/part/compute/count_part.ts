import type { DataFrame } from "nodejs-polars";
import { type CountedLine, countRows } from "../../../../analysis/aligned/count_losses.ts";
import type { ForwardReturns } from "../../../../analysis/aligned/prices/forward_returns.ts";
import type { NotedGrid, PriceNoteKind } from "../../../../analysis/aligned/prices/price_notes.ts";
import type { PlacedRows } from "../../../../analysis/aligned/sessions/place_rows.ts";
import { tableOfRows } from "../../../../analysis/table/frame_of_rows.ts";
import type { DaySpan, PartTableName } from "../part_tables.ts";

/** A note on a date of the prices. */
export type DateNote = Extract<PriceNoteKind, "missing_session" | "stray_date" | "running">;

const FATE = { reason: "text", horizon: "count" } as const;
const SHARE = { ...FATE, rows: "count" } as const;
const SESSIONS = { sessions: "count", first_session: "date", last_session: "date" } as const;

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
    const named = shares.map((share) => ({ ...share, text: names[share.key] ?? null }));
    return tableOfRows(named, { text: "text", ...SHARE }, {}).rename({ text: by });
  };
  const bySession = tableOfRows(split("session").shares, { session: "date", ...SHARE }, {
    session: ({ key }) => key,
  });
  return [
    ["counts", countsOf(placed)],
    ["losses", lossesOf(lines)],
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
  const notes = DATE_NOTES.flatMap(([what, daysOf]) =>
    daysOf(grid).filter((day) => day >= own.from && day <= own.to)
      .map((session) => ({ session, what }))
  );
  return tableOfRows(notes, { session: "date", what: "text" }, {});
}

function lossesOf(lines: readonly CountedLine[]): DataFrame {
  return tableOfRows(lines, { ...SHARE, is_late: "count", ...SESSIONS }, {
    is_late: ({ isLate }) => Number(isLate),
    first_session: ({ first }) => first,
    last_session: ({ last }) => last,
  });
}

function examplesOf(lines: readonly CountedLine[]): DataFrame {
  const rows = lines.flatMap(({ examples, ...line }) =>
    examples.map((example) => ({ ...line, example }))
  );
  return tableOfRows(rows, { ...FATE, example: "text" }, {});
}

function countsOf({ rows, counted, places, refused }: PlacedRows): DataFrame {
  let [all, placed] = [0, 0];
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (counted?.[time] === 0) continue;
    all++;
    if (places.fates[time] === null && (refused?.[row] ?? 0) === 0) placed++;
  }
  return tableOfRows(
    [{ rows: all, placedRows: placed }],
    { rows: "count", placed_rows: "count" },
    {},
  );
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
  return tableOfRows(all, { ticker: "text", scored: "count", priced: "count" }, {
    ticker: (ticker) => ticker,
    scored: (ticker) => Number(scored.has(ticker)),
    priced: (ticker) => Number(priced.has(ticker)),
  });
}
