import { nearTickersText } from "./near_tickers.ts";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { columnsOf, distinctDays, placesOfDays } from "../dense/days.ts";
import type { TimedScores } from "./score_rows.ts";
import { OUT, type PlacedRows } from "./sessions/place_rows.ts";
import type { Reason } from "../reason.ts";
import { WHY } from "./prices/price_grid.ts";

/** Fates of a row, in order of precedence. */
const FATES: readonly (Reason | "used")[] = [
  "refused_status",
  "excluded",
  "not_a_session",
  "superseded",
  "expired",
  "no_score",
  "no_entry_price",
  "beyond_prices",
  "no_exit_price",
  "no_group",
  "ended",
  "used",
];

const FATE_OF_WINDOW = ["used", "ended", "no_entry_price", "beyond_prices", "no_exit_price"]
  .map((fate) => FATES.indexOf(fate as Reason));
const NO_SCORE = FATES.indexOf("no_score");
const REFUSED = FATES.indexOf("refused_status");
const EXCLUDED = FATES.indexOf("excluded");
const NO_ENTRY = FATES.indexOf("no_entry_price");
const NO_GROUP = FATES.indexOf("no_group");
const BEYOND = FATE_OF_WINDOW[WHY.beyond]!;
/** Number of rows that a loss is shown with. */
const MAX_EXAMPLES = 5;

/** Rows of one fate and horizon. */
interface FateRows {
  /** Fate of the rows. */
  readonly reason: Reason | "used";
  /** Horizon; `null` for a loss before returns. */
  readonly horizon: number | null;
  /** Number of rows. */
  readonly rows: number;
}

/** Counts of used and lost rows. */
export type LossCounts = ReturnType<typeof countRows>;

/** Counts the fates of the rows of scores that were placed. */
export function countRows(placed: PlacedRows) {
  const { rows, returns } = placed;
  const { grid, sessions, entryLag, market } = returns;
  const dayOfTime = daysOfTimes(placed);
  const days = distinctDays(dayOfTime.toSorted());
  const lines = countLosses(placed, dayOfTime.map(placesOfDays(days)), days.length);
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
    carriedRows: countCarried(placed),
    priceNotes: returns.notes,
    neverPriced: lost.length,
    nearTickers: nearTickersText(lost, rows.tickers, { prices: grid.tickers }),
    nearGroups: nearGroupsText(rows),
    sessions,
    unit: market.unit,
    entryLag,
    /** The same rows by session, ticker or status. */
    split: (by: "session" | "ticker" | "status") => {
      const { names, keyOf } = keys[by];
      return { names, shares: splitLosses(placed, keyOf) };
    },
  };
}

function nearGroupsText({ tickers, groups }: TimedScores): string | null {
  if (groups === null) return null;
  const grouped = new Set(groups.tickers.names);
  const lost = tickers.filter((ticker) => !grouped.has(ticker));
  return nearTickersText(lost, tickers, { groups: groups.tickers.names });
}

/** The day of each time: its session, else its own date, else its date in New York. */
export function daysOfTimes({ rows, places, returns }: PlacedRows): Int32Array {
  const { days } = returns.grid;
  return Int32Array.from(rows.times, (at, time) => {
    const session = places.from[time]!;
    if (session >= 0 && session < days.length) return days[session]!;
    return rows.kind === "date" ? at : newYorkDay(Math.max(at, DAY_MS));
  });
}

/** Rows of one fate and horizon, counted. */
export type CountedLine = ReturnType<typeof toCounted>;

function toCounted(line: LossLine, days: Int32Array, tickers: readonly string[]) {
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

function countCarried({ rows, places, refused }: PlacedRows): number {
  let carried = 0;
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (places.fates[time] !== null || (refused?.[row] ?? 0) !== 0) continue;
    carried += places.to[time]! - places.from[time]! - 1;
  }
  return carried;
}

/** Rows of one fate and horizon, while they are counted. */
interface LossLine extends Omit<FateRows, "rows"> {
  rows: number;
  isLate: boolean;
  /** Flags of the days that have such rows, by index of the day. */
  readonly days: Uint8Array;
  /** Flags of the tickers that have such rows. */
  readonly tickers: Uint8Array;
  /** The first such rows by day and ticker, as index of the day × number of tickers + index of the ticker. */
  readonly examples: number[];
}

/** Counts the rows of each fate and horizon; each row counts once per horizon, or once without a horizon. */
function countLosses(placed: PlacedRows, dayOf: Int32Array, days: number): readonly LossLine[] {
  const { rows, returns: { periods }, places } = placed;
  const width = rows.tickers.length;
  const lines: (LossLine | undefined)[] = [];
  visitFates(placed, (row, fate, h) => {
    const key = fate * (periods.length + 1) + h + 1;
    let line = lines[key];
    if (line === undefined) {
      line = {
        reason: FATES[fate]!,
        horizon: h === -1 ? null : periods[h]!,
        rows: 0,
        isLate: false,
        days: new Uint8Array(days),
        tickers: new Uint8Array(width),
        examples: [],
      };
      lines[key] = line;
    }
    const day = dayOf[rows.timeOf[row]!]!;
    const ticker = rows.tickerOf[row]!;
    line.rows++;
    line.isLate ||= fate === BEYOND && places.fates[rows.timeOf[row]!] !== null;
    line.days[day] = 1;
    line.tickers[ticker] = 1;
    keepSmallest(line.examples, day * width + ticker);
  });
  return lines.filter((line) => line !== undefined);
}

/** Rows of one key, fate and horizon. */
export type LossShare = ReturnType<typeof splitLosses>[number];

/** Counts the rows of each key, fate and horizon, ascending by key. */
function splitLosses(
  placed: PlacedRows,
  keyOf: (row: number) => number,
) {
  const { periods } = placed.returns;
  const slots = FATES.length * (periods.length + 1);
  const counts = new Map<number, Int32Array>();
  visitFates(placed, (row, fate, h) => {
    const key = keyOf(row);
    let found = counts.get(key);
    if (found === undefined) counts.set(key, found = new Int32Array(slots));
    found[fate * (periods.length + 1) + h + 1]!++;
  });
  return [...counts].toSorted(([a], [b]) => a - b).flatMap(([key, found]) =>
    [...found].flatMap((count, slot) => {
      if (count === 0) return [];
      const fate = Math.floor(slot / (periods.length + 1));
      const h = slot % (periods.length + 1) - 1;
      return [{ key, reason: FATES[fate]!, horizon: periods[h] ?? null, rows: count }];
    })
  );
}

/** Reports the fate of each row: once per horizon, or once with -1 as index of the horizon. */
function visitFates(
  { rows, returns, places, refused, counted, groups = null, isPriced: isUniverse = true }:
    PlacedRows,
  use: (row: number, fate: number, horizon: number) => void,
): void {
  const width = returns.grid.tickers.length;
  const columns = columnsOf(returns.grid.tickers, rows.tickers);
  const windows = returns.periods.map((period) => returns.windows.get(period)!.why);
  const fates = places.fates.map((fate) => fate === null ? -1 : FATES.indexOf(fate));
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (counted?.[time] === 0) continue;
    const out = refused?.[row] ?? 0;
    const fate = out === OUT.status ? REFUSED : out === OUT.excluded ? EXCLUDED : fates[time]!;
    const score = rows.scores[row]!;
    if (fate !== -1 && fate !== BEYOND) use(row, fate, -1);
    else if (score !== score) use(row, NO_SCORE, -1);
    else {
      const column = columns[rows.tickerOf[row]!]!;
      const cell = places.from[time]! * width + column;
      const own = places.from[time]! * rows.tickers.length + rows.tickerOf[row]!;
      const isPriced = fate === -1 && column !== -1;
      if (isUniverse && fate === -1 && (!isPriced || windows[0]![cell] === WHY.noEntry)) {
        use(row, NO_ENTRY, -1);
        continue;
      }
      const isGrouped = fate !== -1 || groups === null || groups.codes[own] !== -1;
      for (let h = 0; h < windows.length; h++) {
        const why = isPriced ? windows[h]![cell]! : fate === -1 ? WHY.noEntry : WHY.beyond;
        const isUsed = why === WHY.plain || why === WHY.ended;
        use(row, isUsed && !isGrouped ? NO_GROUP : FATE_OF_WINDOW[why]!, h);
      }
    }
  }
}

function keepSmallest(examples: number[], key: number): void {
  // Sets that replace each other within a session have rows of the same session and ticker.
  if (examples.includes(key)) return;
  const full = examples.length === MAX_EXAMPLES;
  if (full && key >= examples[MAX_EXAMPLES - 1]!) return;
  if (full) examples.pop();
  examples.push(key);
  examples.sort((a, b) => a - b);
}
