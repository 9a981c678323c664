import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { meanRanks } from "../../base/statistics/mean_ranks.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { frameOf } from "../frame/typed/frame_of.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import { inheritSynthetic } from "../frame/provenance/synthetic_lineage.ts";
import { IntegrityError } from "../../base/errors.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { untoldRows } from "./untold_rows.ts";

/** All changes, in the order of the summary. */
export const SCORE_CHANGES = [
  ...["added", "removed", "value_to_null", "null_to_value", "moved", "unchanged"] as const,
] as const;

/** Change of one ticker between two score sets. */
export type ScoreChange = typeof SCORE_CHANGES[number];

/** Columns of the changes between two score sets, in order. */
export const SET_CHANGE_COLUMNS = {
  ticker: "text",
  change: "text",
  before: "number",
  after: "number",
  move: "number",
  rank_before: "number",
  rank_after: "number",
  rank_shift: "number",
} as const;

/** Columns of their summary, in order. */
export const SET_SUMMARY_COLUMNS = {
  change: "text",
  tickers: "count",
  mean_abs_move: "number",
  max_abs_move: "number",
  mean_abs_rank_shift: "number",
  max_abs_rank_shift: "number",
} as const;

const ONLY_OF_SETS = ["snapshot_id", "calculated_at", "last_checked_at", "data_through"];
const ONLY_OF_RELEASES = ["download_sha256", "availability"];

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
export function toChangeFrame(
  before: DataFrame,
  after: DataFrame,
): TableFrame<typeof SET_CHANGE_COLUMNS> {
  const name = scoreColumn(before);
  if (scoreColumn(after) !== name) {
    throw new TypeError(
      `Cannot compare scores: expected two frames of one factor, got ${name} and ` +
        `${scoreColumn(after)}`,
    );
  }
  const [a, b] = [readSide(before, name, "first"), readSide(after, name, "second")];
  const tickers = [...new Set([...a.scores.keys(), ...b.scores.keys()])].sort();
  const changes = frameOf(SET_CHANGE_COLUMNS, {
    ticker: tickers,
    change: tickers.map((ticker) => classifyChange(a, b, ticker)),
    before: tickers.map((ticker) => a.scores.get(ticker) ?? null),
    after: tickers.map((ticker) => b.scores.get(ticker) ?? null),
    move: tickers.map((ticker) => difference(b.scores.get(ticker), a.scores.get(ticker))),
    rank_before: tickers.map((ticker) => a.ranks.get(ticker) ?? null),
    rank_after: tickers.map((ticker) => b.ranks.get(ticker) ?? null),
    rank_shift: tickers.map((ticker) => difference(a.ranks.get(ticker), b.ranks.get(ticker))),
  });
  return inheritSynthetic(changes, [before, after]);
}

/**
 * Summarises a change frame: one row per kind of change, including those that did not occur.
 *
 * Columns: `change` (Utf8), `tickers` (Int32), and over the tickers of that kind with a value on both sides
 * `mean_abs_move`, `max_abs_move`, `mean_abs_rank_shift` and `max_abs_rank_shift` (Float64, null if there are none).
 */
export function toChangeSummary(
  changes: TableFrame<typeof SET_CHANGE_COLUMNS>,
): TableFrame<typeof SET_SUMMARY_COLUMNS> {
  const kinds = changes.getColumn("change").toArray();
  const [moves, shifts] = [
    changes.getColumn("move").toArray(),
    changes.getColumn("rank_shift").toArray(),
  ];
  const sizesOf = (values: readonly (number | null)[], change: ScoreChange) =>
    values.flatMap((value, i) => kinds[i] === change && value !== null ? [Math.abs(value)] : []);
  const folded = (values: readonly (number | null)[], fold: typeof mean) =>
    SCORE_CHANGES.map((change) => fold(sizesOf(values, change)));
  const summary = frameOf(SET_SUMMARY_COLUMNS, {
    change: SCORE_CHANGES,
    tickers: SCORE_CHANGES.map((change) => kinds.filter((kind) => kind === change).length),
    mean_abs_move: folded(moves, mean),
    max_abs_move: folded(moves, max),
    mean_abs_rank_shift: folded(shifts, mean),
    max_abs_rank_shift: folded(shifts, max),
  });
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

// The highest score is first.
function ranksOf(scores: ReadonlyMap<string, number | null>): ReadonlyMap<string, number> {
  const present = [...scores].filter((entry): entry is [string, number] => entry[1] !== null);
  const ranks = meanRanks(present.map(([, score]) => -score));
  return new Map(present.map(([ticker], i) => [ticker, ranks[i]!]));
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

/**
 * Refuses two frames whose difference would not be a change of scores: live sets and a reconstructed release, or two
 * calculation definitions. A frame without provenance columns is recognised by its date: only rows of a release have one
 * without a time beside it.
 *
 * @throws {IntegrityError} With the content of each frame
 * @throws {TypeError} If one of them is not a frame
 */
export function assertComparable(before: DataFrame, after: DataFrame): void {
  for (const frame of [before, after]) {
    assertFrame("compare scores", frame);
    refuseUntold(frame);
  }
  const kinds = [kindOf(before, after), kindOf(after, before)] as const;
  refuseUnlike("two frames of live sets, or two of releases", kinds);
  if (kinds.includes(null)) {
    sayNotice(
      `compare(): the ${kinds[0] === null ? "earlier" : "later"} scores have neither snapshot_id ` +
        "nor download_sha256, so live sets and a release cannot be distinguished; compare both " +
        "as loaded",
    );
  }
  sayBackwards(before, after);
  // Two factors have two definitions anyway; the comparison itself names the factors.
  if (`${valuesOf(before, "factor")}` !== `${valuesOf(after, "factor")}`) return;
  refuseUnlike("frames of one calculation definition", [versionsOf(before), versionsOf(after)]);
}

const TIMES = ["at", "last_checked_at", "calculated_at", "date"] as const;

/** Says that the earlier of two frames has the later times. */
function sayBackwards(before: DataFrame, after: DataFrame): void {
  const name = TIMES.find((one) => [before, after].every(({ columns }) => columns.includes(one)));
  if (name === undefined) return;
  const [first, second] = [before, after].map((frame) =>
    String(frame.select(pl.col(name).max().cast(pl.Utf8).alias("last")).getColumn("last").get(0))
  );
  if (first! <= second! || second === "null") return;
  sayNotice(
    `compare(before, after): the scores given as before are the later ones (${name} ${first}, after ${second}), so that changes run ` +
      "backwards; write compare(after, before)",
  );
}

function refuseUnlike(
  required: string,
  [before, after]: readonly [string | null, string | null],
): void {
  if (before === null || after === null || before === after) return;
  throw new IntegrityError(
    `Cannot compare scores: expected ${required}, got ${before} and ${after}; ` +
      "mixed: true allows the comparison",
  );
}

function kindOf(frame: DataFrame, other: DataFrame): string | null {
  if (ONLY_OF_RELEASES.some((name) => valuesOf(frame, name).length > 0)) return "a release";
  if (ONLY_OF_SETS.some((name) => valuesOf(frame, name).length > 0)) return "live sets";
  if (!frame.columns.includes("date")) {
    return other.columns.includes("date") ? "scores without a date" : null;
  }
  return frame.columns.includes("at") ? "live sets" : "a release";
}

function refuseUntold(frame: DataFrame): void {
  const untold = untoldRows(frame, FACTORS.map(scoreNameOf));
  if (untold === 0) return;
  throw new IntegrityError(
    `Cannot compare scores: expected frames of one origin each, got ${untold} scored rows without the snapshot_id or ` +
      "download_sha256 of the others; compare each origin separately",
  );
}

function versionsOf(frame: DataFrame): string | null {
  const versions = valuesOf(frame, "factor_version");
  return versions.length === 0 ? null : versions.join(" with ");
}

function valuesOf(frame: DataFrame, name: string): readonly string[] {
  if (!frame.columns.includes(name)) return [];
  const values = frame.select(pl.col(name).unique().alias("value")).getColumn("value").toArray();
  return values.filter((value) => value !== null).map(String).sort();
}
