import type { DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { missingValue } from "./missing_value.ts";
import { readInstantColumn, readTexts, type TextCodes } from "./read_columns.ts";

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
 * A column of instants that every row has, as milliseconds since 1970-01-01T00:00Z.
 *
 * @throws {TypeError} If it is missing, its clock has no zone, or an instant is null
 */
export function readEveryInstant(action: string, frame: DataFrame, name: string): Float64Array {
  const instants = readInstantColumn(action, frame, name);
  const missing = instants.findIndex(Number.isNaN);
  if (missing === -1) return instants;
  throw missingValue(action, `an instant in the column ${name}`, missing);
}
