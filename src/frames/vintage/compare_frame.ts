import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { framed } from "../frame/typed/frame_of.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";
import { IntegrityError } from "../../base/errors.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { untoldRows } from "./untold_rows.ts";
import { comparedRows, refuseTwoFactors, summaryOf } from "./compare_releases.ts";

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
  refuseTwoFactors("scores", name, scoreColumn(after));
  assertTickers(before, "first");
  assertTickers(after, "second");
  // The highest score is first.
  const rank = (side: string) => pl.col(side).rank("average", true).alias(`rank_${side}`);
  const shift = pl.col("rank_before").minus(pl.col("rank_after")).alias("rank_shift");
  const changes = comparedRows(before, after, name, { ticker: pl.Utf8 })
    .withColumns(rank("before"), rank("after")).withColumns(shift)
    .select(...Object.keys(SET_CHANGE_COLUMNS)).sort("ticker");
  return framed(changes);
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
  return summaryOf(changes, SET_SUMMARY_COLUMNS, [pl.len().alias("tickers")]);
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

function assertTickers(frame: DataFrame, which: string): void {
  const tickers = frame.getColumn("ticker").toArray() as (string | null)[];
  const missing = tickers.indexOf(null);
  if (missing !== -1) {
    throw new TypeError(
      `Cannot compare scores: expected a ticker in every row, got none in row ${missing} of the ` +
        `${which} frame; drop it`,
    );
  }
  if (new Set(tickers).size === tickers.length) return;
  const repeated = tickers.find((ticker, i) => tickers.indexOf(ticker) !== i);
  throw new TypeError(
    `Cannot compare scores: expected one row per ticker, got several of "${repeated}" in ` +
      `the ${which} frame; compare one set with another`,
  );
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
