import type { ScoreName } from "../factor.ts";
import { isTicker } from "../identifier.ts";
import { ContractViolation } from "../violation.ts";

/** The rows of a score set by column; entry `i` of both belongs to one ticker. */
export interface ScoreRows {
  /** Tickers, unique, in alphabetical order. */
  readonly tickers: readonly string[];
  /** Scores in [0, 1]; `null` means that no eligible value is available, and 0 is a valid score. */
  readonly scores: readonly (number | null)[];
}

/**
 * Reads the `scores` array: rows of exactly two fields, unique and alphabetical tickers, scores in [0, 1] or null.
 *
 * Checked without a schema, whose validation of each row would take six to eight times as long.
 *
 * @throws {ContractViolation} With the path of the first offending row
 * @see API document, section 2.2
 */
export function parseScoreRows(value: unknown, scoreName: ScoreName): ScoreRows {
  if (!Array.isArray(value)) throw new ContractViolation("$.scores", "an array of rows", value);
  const tickers = new Array<string>(value.length);
  const scores = new Array<number | null>(value.length);
  for (let i = 0; i < value.length; i++) {
    const row: unknown = value[i];
    checkRowShape(row, scoreName, i);
    tickers[i] = parseRowTicker(row.ticker, i);
    scores[i] = parseRowScore(row[scoreName], scoreName, i);
  }
  assertAlphabetical(tickers, (i) => `$.scores[${i}].ticker`);
  return { tickers, scores };
}

/** The wire form of score rows. */
export function encodeScoreRows(rows: ScoreRows, scoreName: ScoreName): Record<string, unknown>[] {
  return rows.tickers.map((ticker, i) => ({ ticker, [scoreName]: rows.scores[i] ?? null }));
}

const VALUES = new WeakMap<ScoreRows, Float64Array>();
const INSPECT = Symbol.for("Deno.customInspect");

/**
 * Rows whose scores become an array when somebody reads it: whoever needs numbers takes those of {@link scoreValues}.
 *
 * @param tickers The tickers
 * @param values Their scores, NaN for a missing one; never changed afterwards
 */
export function rowsOfValues(tickers: readonly string[], values: Float64Array): ScoreRows {
  const rows = {
    tickers,
    get scores(): readonly (number | null)[] {
      const scores = new Array<number | null>(values.length);
      for (let i = 0; i < scores.length; i++) {
        scores[i] = Number.isNaN(values[i]!) ? null : values[i]!;
      }
      Object.defineProperty(rows, "scores", { value: scores });
      return scores;
    },
  };
  // A console would show a getter.
  const inspect = (show: (shown: unknown, options: unknown) => string, options: unknown) =>
    show({ ...rows }, options);
  Object.defineProperty(rows, INSPECT, { value: inspect });
  VALUES.set(rows, values);
  return rows;
}

/** Scores of rows as doubles, NaN for a missing one. */
export function scoreValues(rows: ScoreRows): Float64Array {
  const known = VALUES.get(rows);
  if (known !== undefined) return known;
  const { scores } = rows;
  const values = new Float64Array(scores.length);
  for (let i = 0; i < values.length; i++) values[i] = scores[i] ?? NaN;
  return values;
}

/** Number of rows with a score. */
export function countScored(rows: ScoreRows): number {
  const values = scoreValues(rows);
  let scored = 0;
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) scored++;
  return scored;
}

/**
 * Refuses repeated or unordered tickers.
 *
 * The API document says "alphabetical" without a collation: the order of character codes is expected, and the dictionary order
 * (as of databases in an English locale), which ignores dots and hyphens, is accepted.
 */
export function assertAlphabetical(
  tickers: readonly string[],
  pathOf: (i: number) => string,
): void {
  let ordered = true;
  for (let i = 1; i < tickers.length && ordered; i++) ordered = tickers[i - 1]! < tickers[i]!;
  if (ordered) return;
  const seen = new Set<string>();
  const collator = new Intl.Collator("en-US", { ignorePunctuation: true });
  for (const [i, ticker] of tickers.entries()) {
    if (seen.has(ticker)) {
      throw new ContractViolation(pathOf(i), "a ticker that does not repeat", ticker);
    }
    seen.add(ticker);
    const previous = tickers[i - 1];
    if (previous !== undefined && collator.compare(previous, ticker) > 0) {
      throw new ContractViolation(pathOf(i), `a ticker after "${previous}"`, ticker);
    }
  }
}

interface WireRow {
  readonly ticker: unknown;
  readonly [score: string]: unknown;
}

function checkRowShape(row: unknown, scoreName: ScoreName, i: number): asserts row is WireRow {
  const required = `an object with exactly the fields ticker and ${scoreName}`;
  if (typeof row !== "object" || row === null || !(scoreName in row) || !("ticker" in row)) {
    throw new ContractViolation(`$.scores[${i}]`, required, row);
  }
  let fields = 0;
  for (const _ in row) fields++;
  if (fields !== 2) throw new ContractViolation(`$.scores[${i}]`, required, row);
}

function parseRowTicker(ticker: unknown, i: number): string {
  if (isTicker(ticker)) return ticker;
  const required = "1 to 16 of the characters A-Z, 0-9, dot and hyphen";
  throw new ContractViolation(`$.scores[${i}].ticker`, required, ticker);
}

function parseRowScore(score: unknown, scoreName: ScoreName, i: number): number | null {
  if (score === null) return null;
  // Adding 0 turns -0 into 0, as JSON text would.
  if (typeof score === "number" && score >= 0 && score <= 1) return score + 0;
  throw new ContractViolation(
    `$.scores[${i}].${scoreName}`,
    "a number from 0 to 1, or null",
    score,
  );
}
