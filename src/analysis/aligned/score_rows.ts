import { distinctTimes } from "../table/distinct_times.ts";
import { listText } from "../../base/arguments/list_text.ts";
import type { DataFrame, Expr } from "nodejs-polars";
import { excludedRows } from "./excluded_rows.ts";
import { refuseAdjustedLevel } from "../table/refuse_adjusted_level.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { untoldRows } from "../../frames/vintage/untold_rows.ts";
import { readDayColumn, readInstantColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import {
  KNOWN_COLUMNS,
  onlyScore,
  readEveryInstant,
  readTickerCodes,
} from "../table/score_columns.ts";

const ACTION = "align scores";
const ONLY_OF_SETS = [
  "snapshot_id",
  "calculated_at",
  "last_checked_at",
  "data_through",
  "prices_through",
];
const ONLY_OF_RELEASES = ["download_sha256", "availability"];

/** Rows of scores, and the instants at which they were known. */
export interface TimedScores {
  /** Number of rows. */
  readonly height: number;
  /** Name of the column that is analysed. */
  readonly score: string;
  /** `date` for rows with dates of sessions (a release), `instant` for rows with the instants at which they were known (live sets). */
  readonly kind: "date" | "instant";
  /** The distinct dates (days since 1970-01-01) or instants (epoch milliseconds), ascending. */
  readonly times: Float64Array;
  /** Index into the times for each row. */
  readonly timeOf: Int32Array;
  /** Publication of the set of each time, epoch milliseconds; `null` if the frame does not say. */
  readonly published: Float64Array | null;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** Index into the tickers for each row. */
  readonly tickerOf: Int32Array;
  /** The score of each row; NaN for null. */
  readonly scores: Float64Array;
  /** 1 for each row that a condition excludes; `null` or left out if there is none. */
  readonly excluded?: Uint8Array | null;
  /** The status of each row's set; `null` if the frame does not say. */
  readonly statuses: { readonly names: readonly string[]; readonly codes: Int32Array } | null;
}

/**
 * Reads a frame of scores: a release, a panel, stacked score sets, or any frame with a date or an instant,
 * a ticker and a score.
 *
 * @param score The column to analyse; `null` for the only one that is named like a score
 * @param where Condition on the rows that count; `null` for all
 * @throws {TypeError} If a column is missing, or live sets are mixed with a release, or two definitions are mixed
 * @throws {RangeError} If a row claims to have been known before its check
 */
export function readScoreRows(
  frame: DataFrame,
  score: string | null,
  where: Expr | null = null,
): TimedScores {
  const name = score ?? onlyScore(ACTION, frame);
  assertOneKind(frame, name);
  refuseAdjustedLevel(ACTION, frame, [name]);
  const { names: tickers, codes: tickerOf } = readTickerCodes(ACTION, frame);
  const known = KNOWN_COLUMNS.find((column) => frame.columns.includes(column));
  const values = known === undefined
    ? readDayColumn(ACTION, frame, "date")
    : readKnown(frame, known);
  const { times, timeOf } = distinctTimes(values);
  return {
    height: values.length,
    score: name,
    kind: known === undefined ? "date" : "instant",
    times,
    timeOf,
    published: known === undefined ? null : readPublished(frame, times.length, timeOf),
    tickers,
    tickerOf,
    scores: readNumbers(ACTION, frame, name),
    excluded: where === null ? null : excludedRows(ACTION, frame, where),
    statuses: frame.columns.includes("status") ? readTexts(ACTION, frame, "status") : null,
  };
}

/** Name of a time in a message: its date or its instant. */
export function timeText({ kind, times }: TimedScores, time: number): string {
  return kind === "date" ? fromEpochDay(times[time]!) : instantOf(times[time]!);
}

// A release is reconstructed: its scores of a session were not published at the time.
function assertOneKind(frame: DataFrame, score: string): void {
  const filled = (name: string) =>
    frame.columns.includes(name) && frame.getColumn(name).nullCount() < frame.height;
  if (ONLY_OF_SETS.some(filled) && ONLY_OF_RELEASES.some(filled)) {
    throw new TypeError(
      `Cannot ${ACTION}: expected live score sets or a release, got rows of both; align each separately`,
    );
  }
  const untold = untoldRows(frame, [score]);
  if (untold > 0) {
    throw new TypeError(
      `Cannot ${ACTION}: expected rows of one origin, got ${untold} scored rows without the snapshot_id or ` +
        "download_sha256 that the others have; align each separately",
    );
  }
  for (const column of ["factor", "factor_version", "download_sha256"]) {
    if (!frame.columns.includes(column)) continue;
    const { names } = readTexts(ACTION, frame, column);
    if (names.length < 2) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected rows of one ${column}, got ${
        listText(names)
      }; keep one of them with a filter`,
    );
  }
}

function readKnown(frame: DataFrame, column: typeof KNOWN_COLUMNS[number]): Float64Array {
  const known = readEveryInstant(ACTION, frame, column);
  for (const check of KNOWN_COLUMNS) {
    if (check === column || !frame.columns.includes(check)) continue;
    const checked = readInstantColumn(ACTION, frame, check);
    const early = known.findIndex((ms, row) => ms < checked[row]!);
    if (early === -1) continue;
    throw new RangeError(
      `Cannot ${ACTION}: expected ${column} no earlier than ${check}, because a score is known when its ` +
        `check has ended, got ${instantOf(known[early]!)} in row ${early}, before ${
          instantOf(checked[early]!)
        }; correct the column`,
    );
  }
  return known;
}

function readPublished(
  frame: DataFrame,
  count: number,
  timeOf: Int32Array,
): Float64Array | null {
  if (!frame.columns.includes("calculated_at")) return null;
  const rows = readInstantColumn(ACTION, frame, "calculated_at");
  const published = new Float64Array(count).fill(NaN);
  for (let row = 0; row < rows.length; row++) {
    const at = rows[row]!;
    const time = timeOf[row]!;
    if (!(published[time]! >= at)) published[time] = at;
  }
  return published;
}
