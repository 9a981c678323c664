import type { Reason } from "../reason.ts";
import { columnsOf } from "./lay_out_scores.ts";
import { type LayOutContext, OUT } from "./place_rows.ts";
import type { TimedScores } from "./score_rows.ts";
import { WHY } from "./prices/window_returns.ts";

/** Fates of a row, in order of precedence. */
export const FATES: readonly (Reason | "used")[] = [
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
const NO_GROUP = FATES.indexOf("no_group");
const BEYOND = FATE_OF_WINDOW[WHY.beyond]!;
/** Number of rows that a loss is shown with. */
export const MAX_EXAMPLES = 5;

/** Rows of one fate and horizon. */
export interface LossLine {
  /** Fate of the rows. */
  readonly reason: Reason | "used";
  /** Horizon; `null` for a loss before returns. */
  readonly horizon: number | null;
  /** Number of rows. */
  rows: number;
  /** True if one of them belongs to a session after the last one. */
  isLate: boolean;
  /** Flags of the days that have such rows, by index of the day. */
  readonly days: Uint8Array;
  /** Flags of the tickers that have such rows. */
  readonly tickers: Uint8Array;
  /** The first such rows by day and ticker, as index of the day × number of tickers + index of the ticker. */
  readonly examples: number[];
}

/** Rows of one key, fate and horizon. */
export interface LossShare {
  /** Key of the rows. */
  readonly key: number;
  /** Fate of the rows. */
  readonly reason: Reason | "used";
  /** Horizon; `null` for a loss before returns. */
  readonly horizon: number | null;
  /** Number of rows. */
  readonly rows: number;
}

/** Rows that are counted: those of some times, or all. */
export interface CountedRows {
  /** 1 for each time whose rows count; `null` if all do. */
  readonly counted: Uint8Array | null;
}

/** Counts the rows of each fate and horizon; each row counts once per horizon, or once without a horizon. */
export function countLosses(
  rows: TimedScores,
  context: LayOutContext & CountedRows,
  days: { readonly places: Int32Array; readonly count: number },
): readonly LossLine[] {
  const width = rows.tickers.length;
  const periods = context.returns.periods;
  const lines: (LossLine | undefined)[] = [];
  visitFates(rows, context, (row, fate, h) => {
    const key = fate * (periods.length + 1) + h + 1;
    let line = lines[key];
    if (line === undefined) {
      line = {
        reason: FATES[fate]!,
        horizon: h === -1 ? null : periods[h]!,
        rows: 0,
        isLate: false,
        days: new Uint8Array(days.count),
        tickers: new Uint8Array(width),
        examples: [],
      };
      lines[key] = line;
    }
    const day = days.places[rows.timeOf[row]!]!;
    const ticker = rows.tickerOf[row]!;
    line.rows++;
    line.isLate ||= fate === BEYOND && context.places.fates[rows.timeOf[row]!] !== null;
    line.days[day] = 1;
    line.tickers[ticker] = 1;
    keepSmallest(line.examples, day * width + ticker);
  });
  return lines.filter((line) => line !== undefined);
}

/** Counts the rows of each key, fate and horizon, ascending by key. */
export function splitLosses(
  rows: TimedScores,
  context: LayOutContext & CountedRows,
  keyOf: (row: number) => number,
): readonly LossShare[] {
  const periods = context.returns.periods;
  const slots = FATES.length * (periods.length + 1);
  const counts = new Map<number, Int32Array>();
  visitFates(rows, context, (row, fate, h) => {
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
  rows: TimedScores,
  { returns, places, refused, counted, groups = null }: LayOutContext & CountedRows,
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
      const isGrouped = fate !== -1 || groups === null || groups.codes[own] !== -1;
      for (let h = 0; h < windows.length; h++) {
        const isPriced = fate === -1 && column !== -1;
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
