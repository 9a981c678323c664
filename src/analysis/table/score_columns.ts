import type { DataFrame, Expr } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { missingValue, readTexts, type TextCodes } from "./read_columns.ts";
import { stateOfCloses } from "../../frames/prices/closes/close_state.ts";

/** The columns that say when a score was known, the one that counts first. */
export const KNOWN_COLUMNS = ["at", "last_checked_at", "calculated_at"] as const;

const SCORES = [...FACTORS.map(scoreNameOf), "score"];

/**
 * The column that is named like a score.
 *
 * @param shown Number of columns that a message names
 * @throws {TypeError} If there is none, or more than one
 */
export function onlyScore(action: string, frame: DataFrame, shown?: number): string {
  const found = frame.columns.filter((column) => SCORES.includes(column));
  if (found.length === 1) return found[0]!;
  throw new TypeError(
    `Cannot ${action}: expected one column of scores (${SCORES.join(", ")}), got a frame with ` +
      `${listText(frame.columns, shown)}; name one: { score: "${found[0] ?? "my_score"}" }`,
  );
}

/**
 * The column of tickers as numbers.
 *
 * @throws {TypeError} If it is missing or no text, or a ticker is null
 */
export function readTickerCodes(action: string, frame: DataFrame): TextCodes {
  const tickers = readTexts(action, frame, "ticker");
  const blank = tickers.names.findIndex((name) => name.trim() === "");
  for (const code of blank === -1 ? [-1] : [-1, blank]) {
    const row = tickers.codes.indexOf(code);
    if (row !== -1) throw missingValue(action, "a ticker", row, tickers.names[code] ?? null);
  }
  return tickers;
}

/**
 * The instants of a column, of which every row has one.
 *
 * @throws {TypeError} If one is null
 */
export function everyInstant(action: string, name: string, instants: Float64Array): Float64Array {
  const missing = instants.findIndex(Number.isNaN);
  if (missing === -1) return instants;
  throw missingValue(action, `an instant in the column ${name}`, missing);
}

/** The distinct values, ascending, and which of them each row has. */
export function distinctTimes(
  values: Int32Array | Float64Array,
): { times: Float64Array; timeOf: Int32Array } {
  const seen = new Map<number, number>();
  const timeOf = new Int32Array(values.length);
  let [before, place] = [NaN, -1];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== before) {
      before = value;
      place = seen.get(value) ?? seen.size;
      if (place === seen.size) seen.set(value, place);
    }
    timeOf[i] = place;
  }
  const times = Float64Array.from(seen.keys()).sort();
  const ranks = new Map([...times].map((time, rank) => [time, rank]));
  const rankOf = Int32Array.from(seen.keys(), (time) => ranks.get(time)!);
  if (rankOf.some((rank, i) => rank !== i)) {
    for (let i = 0; i < timeOf.length; i++) timeOf[i] = rankOf[timeOf[i]!]!;
  }
  return { times, timeOf };
}

/**
 * Refuses the level of closes as something that was known on its date, unless they are marked as traded: each later split and
 * dividend changes adjusted ones.
 *
 * @param read Columns, or an expression on the frame
 * @throws {TypeError} If they read `close` of a frame that is not marked as traded, with the raw column if there is one
 */
export function refuseAdjustedLevel(
  action: string,
  frame: DataFrame,
  read: readonly string[] | Expr,
): void {
  const state = stateOfCloses(frame);
  if (state === "none" || !readsClose(frame, read)) return;
  const advice = frame.columns.includes("raw")
    ? "use the column raw, which has the closes as traded"
    : state === "unknown"
    ? 'if they are as traded, name them so: frame.rename({ close: "raw" }), and use raw'
    : 'read them with the raw ones beside them: readPrices("closes.csv", { raw: "NAME" }), and use raw';
  const got = state === "unknown"
    ? "of which nothing says whether later splits and dividends changed it"
    : `which is adjusted for later splits${state === "all" ? " and dividends" : ""}`;
  throw new TypeError(
    `Cannot ${action}: expected prices that were known on their dates, got close, ${got}; ${advice}`,
  );
}

/** `true` if columns or an expression on a frame include its closes. */
function readsClose(frame: DataFrame, read: readonly string[] | Expr): boolean {
  if (!frame.columns.includes("close")) return false;
  if (Array.isArray(read)) return read.includes("close");
  const works = (some: DataFrame) => {
    try {
      return some.select((read as Expr).alias("read")).width === 1;
    } catch {
      return false;
    }
  };
  const few = frame.head(1);
  return works(few) && !works(few.drop("close"));
}
