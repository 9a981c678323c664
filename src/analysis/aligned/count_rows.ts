import { nearTickersText } from "./near_tickers.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { NOTE_COLUMNS } from "./prices/price_notes.ts";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import { distinctDays, placesOfDays } from "../dense/days.ts";
import {
  type CountedRows,
  countLosses,
  type LossLine,
  type LossShare,
  splitLosses,
} from "./count_losses.ts";
import { columnsOf } from "./lay_out_scores.ts";
import type { LayOutContext } from "./place_rows.ts";
import type { TimedScores } from "./score_rows.ts";

/** Rows of one fate and horizon, counted. */
export interface CountedLine extends Pick<LossLine, "reason" | "horizon" | "isLate"> {
  /** Number of rows. */
  readonly rows: number;
  /** Number of sessions, or of dates where there is no session. */
  readonly sessions: number;
  /** Number of tickers. */
  readonly tickers: number;
  /** The first of the sessions, in days since 1970-01-01. */
  readonly first: number;
  /** The last of them. */
  readonly last: number;
  /** The first rows, as "session ticker". */
  readonly examples: readonly string[];
}

/** Rows of each key, fate and horizon. */
export interface LossSplit {
  /** The rows, ascending by key. */
  readonly shares: readonly LossShare[];
  /** Texts of the keys; empty for days. */
  readonly names: readonly string[];
}

/** Counts of used and lost rows. */
export interface LossCounts {
  /** One line per fate and horizon, in order of precedence. */
  readonly lines: readonly CountedLine[];
  /** Number of rows. */
  readonly rows: number;
  /** Number of rows that were added because a live set stays in force. */
  readonly carriedRows: number;
  /** Number of tickers that are never priced. */
  readonly neverPriced: number;
  /** Sentence on tickers that the prices spell in another way; `null` if there are none. */
  readonly nearTickers: string | null;
  /** Notes on the prices. */
  readonly priceNotes: TableFrame<typeof NOTE_COLUMNS>;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** Name of one period of the prices: session, month. */
  readonly unit: string;
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** The same rows by session, ticker or status. */
  split(by: "session" | "ticker" | "status"): LossSplit;
}

/** Counts the fates of the rows of scores that were laid out. */
export function countRows(rows: TimedScores, context: LayOutContext & CountedRows): LossCounts {
  const dayOfTime = daysOfTimes(rows, context);
  const days = distinctDays(dayOfTime.toSorted());
  const lines = countLosses(rows, context, {
    places: dayOfTime.map(placesOfDays(days)),
    count: days.length,
  });
  const { grid, sessions, entryLag, market } = context.returns;
  const { names: statuses, codes } = rows.statuses ?? { names: [], codes: null };
  const keys = {
    session: { names: [], keyOf: (row: number) => dayOfTime[rows.timeOf[row]!]! },
    ticker: { names: rows.tickers, keyOf: (row: number) => rows.tickerOf[row]! },
    status: { names: statuses, keyOf: (row: number) => codes?.[row] ?? -1 },
  };
  const places = columnsOf(grid.tickers, rows.tickers);
  const lost = rows.tickers.filter((_, column) => places[column] === -1);
  return {
    lines: lines.map((line) => toCounted(line, days, rows.tickers)),
    rows: rows.height,
    carriedRows: countCarried(rows, context),
    priceNotes: context.returns.notes,
    neverPriced: lost.length,
    nearTickers: lost.length === 0 ? null : nearTickersText(lost, grid.tickers),
    sessions,
    unit: market.unit,
    entryLag,
    split: (by) => {
      const { names, keyOf } = keys[by];
      return { names, shares: splitLosses(rows, context, keyOf) };
    },
  };
}

/** The day of each time: its session, else its own date, else its date in New York. */
export function daysOfTimes(
  rows: TimedScores,
  { places, returns }: Pick<LayOutContext, "places" | "returns">,
): Int32Array {
  const { days } = returns.grid;
  return Int32Array.from(rows.times, (at, time) => {
    const session = places.from[time]!;
    if (session >= 0 && session < days.length) return days[session]!;
    return rows.kind === "date" ? at : newYorkDay(Math.max(at, DAY_MS));
  });
}

function toCounted(line: LossLine, days: Int32Array, tickers: readonly string[]): CountedLine {
  const sum = (marks: Uint8Array) => marks.reduce((total, mark) => total + mark, 0);
  const width = tickers.length;
  return {
    reason: line.reason,
    horizon: line.horizon,
    rows: line.rows,
    isLate: line.isLate,
    sessions: sum(line.days),
    tickers: sum(line.tickers),
    first: days[line.days.indexOf(1)]!,
    last: days[line.days.lastIndexOf(1)]!,
    examples: line.examples.map((key) =>
      `${fromEpochDay(days[Math.floor(key / width)]!)} ${tickers[key % width]}`
    ),
  };
}

function countCarried(rows: TimedScores, { places, refused }: LayOutContext): number {
  let carried = 0;
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (places.fates[time] !== null || (refused?.[row] ?? 0) !== 0) continue;
    carried += places.to[time]! - places.from[time]! - 1;
  }
  return carried;
}
