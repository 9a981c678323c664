import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../contract/factor.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { inheritSynthetic } from "../frame/provenance/synthetic_lineage.ts";

/** Change of one ticker between two score sets. */
export type ScoreChange =
  | "added"
  | "removed"
  | "value_to_null"
  | "null_to_value"
  | "moved"
  | "unchanged";

/** All changes, in the order of the summary. */
export const SCORE_CHANGES: readonly ScoreChange[] = [
  "added",
  "removed",
  "value_to_null",
  "null_to_value",
  "moved",
  "unchanged",
];

interface Side {
  readonly scores: ReadonlyMap<string, number | null>;
  readonly ranks: ReadonlyMap<string, number>;
}

/**
 * Compares two frames of scores of one factor: one row per ticker of either, alphabetical.
 *
 * Columns: `ticker`, `change` (Utf8), `before`, `after`, `move` (after minus before; null unless both have a value),
 * `rank_before`, `rank_after` (1 is the highest score; ties share their average; null without a value) and `rank_shift`
 * (positive: towards the top). All numbers are Float64.
 *
 * @throws {TypeError} If a frame has no score column, the two have different ones, or a ticker repeats
 */
export function toChangeFrame(before: DataFrame, after: DataFrame): DataFrame {
  const name = scoreColumn(before);
  if (scoreColumn(after) !== name) {
    throw new TypeError(
      `Cannot compare scores: expected two frames of one factor, got ${name} and ` +
        `${scoreColumn(after)}`,
    );
  }
  const [a, b] = [readSide(before, name, "first"), readSide(after, name, "second")];
  const tickers = [...new Set([...a.scores.keys(), ...b.scores.keys()])].sort();
  const number = (column: string, read: (ticker: string) => number | null) =>
    pl.Series(column, tickers.map(read), pl.Float64);
  const changes = pl.DataFrame([
    pl.Series("ticker", tickers, pl.Utf8),
    pl.Series("change", tickers.map((ticker) => classifyChange(a, b, ticker)), pl.Utf8),
    number("before", (ticker) => a.scores.get(ticker) ?? null),
    number("after", (ticker) => b.scores.get(ticker) ?? null),
    number("move", (ticker) => difference(b.scores.get(ticker), a.scores.get(ticker))),
    number("rank_before", (ticker) => a.ranks.get(ticker) ?? null),
    number("rank_after", (ticker) => b.ranks.get(ticker) ?? null),
    number("rank_shift", (ticker) => difference(a.ranks.get(ticker), b.ranks.get(ticker))),
  ]);
  return inheritSynthetic(changes, [before, after]);
}

/**
 * Summarises a change frame: one row per kind of change, including those that did not occur.
 *
 * Columns: `change` (Utf8), `tickers` (Int32), and over the tickers of that kind with a value on both sides
 * `mean_abs_move`, `max_abs_move`, `mean_abs_rank_shift` and `max_abs_rank_shift` (Float64, null if there are none).
 */
export function toChangeSummary(changes: DataFrame): DataFrame {
  const kinds = changes.getColumn("change").toArray() as ScoreChange[];
  const columnOf = (name: string) => changes.getColumn(name).toArray() as (number | null)[];
  const [moves, shifts] = [columnOf("move"), columnOf("rank_shift")];
  const sizesOf = (values: readonly (number | null)[], change: ScoreChange) =>
    values.flatMap((value, i) => kinds[i] === change && value !== null ? [Math.abs(value)] : []);
  const number = (name: string, values: readonly (number | null)[], fold: typeof mean) =>
    pl.Series(name, SCORE_CHANGES.map((change) => fold(sizesOf(values, change))), pl.Float64);
  const summary = pl.DataFrame([
    pl.Series("change", [...SCORE_CHANGES], pl.Utf8),
    pl.Series(
      "tickers",
      SCORE_CHANGES.map((change) => kinds.filter((kind) => kind === change).length),
      pl.Int32,
    ),
    number("mean_abs_move", moves, mean),
    number("max_abs_move", moves, max),
    number("mean_abs_rank_shift", shifts, mean),
    number("max_abs_rank_shift", shifts, max),
  ]);
  return inheritSynthetic(summary, [changes]);
}

function scoreColumn(frame: DataFrame): string {
  assertFrame("compare scores", frame);
  const names: readonly string[] = FACTORS.map(scoreNameOf);
  const found = frame.columns.filter((column) => names.includes(column));
  if (found.length === 1 && frame.columns.includes("ticker")) return found[0]!;
  throw new TypeError(
    `Cannot compare scores: expected a ticker column and one of ${names.join(", ")}, ` +
      `got ${frame.columns.join(", ")}`,
  );
}

function readSide(frame: DataFrame, name: string, which: string): Side {
  const tickers = frame.getColumn("ticker").toArray() as string[];
  const missing = tickers.findIndex((ticker) => ticker === null);
  if (missing !== -1) {
    throw new TypeError(
      `Cannot compare scores: expected a ticker in every row, got none in row ${missing} of the ${which} frame; ` +
        "drop it",
    );
  }
  // A missing value of pandas is NaN, which does not equal itself.
  const values = (frame.getColumn(name).toArray() as (number | null)[])
    .map((value) => Number.isNaN(value) ? null : value);
  const scores = new Map(tickers.map((ticker, i) => [ticker, values[i] ?? null]));
  if (scores.size < tickers.length) {
    const repeated = tickers.find((ticker, i) => tickers.indexOf(ticker) !== i);
    throw new TypeError(
      `Cannot compare scores: expected one row per ticker, got several of "${repeated}" in ` +
        `the ${which} frame; compare one set with another`,
    );
  }
  return { scores, ranks: ranksOf(scores) };
}

// Average ranks, the highest score first.
function ranksOf(scores: ReadonlyMap<string, number | null>): ReadonlyMap<string, number> {
  const present = [...scores].filter((entry): entry is [string, number] => entry[1] !== null)
    .sort((a, b) => b[1] - a[1]);
  const ranks = new Map<string, number>();
  for (let start = 0; start < present.length;) {
    let end = start + 1;
    while (end < present.length && present[end]![1] === present[start]![1]) end++;
    for (let i = start; i < end; i++) ranks.set(present[i]![0], (start + 1 + end) / 2);
    start = end;
  }
  return ranks;
}

function classifyChange(before: Side, after: Side, ticker: string): ScoreChange {
  const [old, current] = [before.scores.get(ticker), after.scores.get(ticker)];
  if (old === undefined) return "added";
  if (current === undefined) return "removed";
  if (old === current) return "unchanged";
  if (current === null) return "value_to_null";
  return old === null ? "null_to_value" : "moved";
}

function difference(a: number | null | undefined, b: number | null | undefined): number | null {
  return typeof a === "number" && typeof b === "number" ? a - b : null;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function max(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value), 0);
}
