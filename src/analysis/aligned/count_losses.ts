import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { columnsOf, distinctDays, placesOfDays } from "../dense/days.ts";
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

/** The day of each time: its session, else its own date, else its date in New York. */
function daysOfTimes({ rows, places, returns }: PlacedRows): Int32Array {
  const { days } = returns.grid;
  return Int32Array.from(rows.times, (at, time) => {
    const session = places.from[time]!;
    if (session >= 0 && session < days.length) return days[session]!;
    return rows.kind === "date" ? at : newYorkDay(Math.max(at, DAY_MS));
  });
}

/** Rows of one fate and horizon, counted. */
export type CountedLine = ReturnType<typeof countLines>[number];

/** Counts the rows of each fate and horizon; each row counts once per horizon, or once without a horizon. */
export function countLines(placed: PlacedRows) {
  const { rows: { tickers, tickerOf, timeOf }, returns: { periods }, places: { fates } } = placed;
  const width = tickers.length;
  const dayOfTime = daysOfTimes(placed);
  const days = distinctDays(dayOfTime.toSorted());
  const placeOfTime = dayOfTime.map(placesOfDays(days));
  const begin = (fate: number, h: number) => ({
    reason: FATES[fate]!,
    horizon: periods[h] ?? null,
    rows: 0,
    isLate: false,
    // Flags of the days and tickers that have such rows, and the first rows as index of the day × tickers + index of the ticker.
    days: new Uint8Array(days.length),
    tickers: new Uint8Array(width),
    examples: [] as number[],
  });
  const lines: ReturnType<typeof begin>[] = [];
  visitFates(placed, (row, fate, h) => {
    const line = lines[fate * (periods.length + 1) + h + 1] ??= begin(fate, h);
    const day = placeOfTime[timeOf[row]!]!;
    const ticker = tickerOf[row]!;
    line.rows++;
    line.isLate ||= fate === BEYOND && fates[timeOf[row]!] !== null;
    line.days[day] = 1;
    line.tickers[ticker] = 1;
    keepSmallest(line.examples, day * width + ticker);
  });
  const sum = (marks: Uint8Array) => marks.reduce((total, mark) => total + mark, 0);
  const nameOf = (key: number) =>
    `${fromEpochDay(days[Math.floor(key / width)]!)} ${tickers[key % width]}`;
  return Object.values(lines).map(({ days: own, tickers: names, examples, ...line }) => {
    const [first, last] = [days[own.indexOf(1)]!, days[own.lastIndexOf(1)]!];
    const counts = { sessions: sum(own), tickers: sum(names), first, last };
    return { ...line, ...counts, examples: examples.map(nameOf).join(", ") };
  });
}

/** Number of rows that a set adds to its first session, because it stays in force. */
export function countCarried({ rows, places, refused }: PlacedRows): number {
  let carried = 0;
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (places.fates[time] !== null || (refused?.[row] ?? 0) !== 0) continue;
    carried += places.to[time]! - places.from[time]! - 1;
  }
  return carried;
}

/** Counts the rows of each session, ticker or status, ascending, by fate and horizon: key, reason, horizon, rows. */
export function splitLosses(placed: PlacedRows, by: "session" | "ticker" | "status") {
  const { timeOf, tickerOf, tickers, statuses } = placed.rows;
  const dayOfTime = daysOfTimes(placed);
  const { names, keyOf } = {
    session: { names: null, keyOf: (row: number) => dayOfTime[timeOf[row]!]! },
    ticker: { names: tickers, keyOf: (row: number) => tickerOf[row]! },
    status: { names: statuses?.names ?? [], keyOf: (row: number) => statuses?.codes[row] ?? -1 },
  }[by];
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
      return [[names === null ? key : names[key] ?? null, FATES[fate]!, periods[h] ?? null, count]];
    })
  );
}

/** Reports the fate of each row: once per horizon, or once with -1 as index of the horizon. */
function visitFates(
  { rows, returns, places, refused, groups, isPriced: isUniverse }: PlacedRows,
  use: (row: number, fate: number, horizon: number) => void,
): void {
  const width = returns.grid.tickers.length;
  const columns = columnsOf(returns.grid.tickers, rows.tickers);
  const windows = returns.periods.map((period) => returns.windows.get(period)!.why);
  const fates = places.fates.map((fate) => fate === null ? -1 : FATES.indexOf(fate));
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
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
