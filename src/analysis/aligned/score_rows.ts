import { faultOf, MissingColumnError } from "../../frames/frame/polars/refuse_operators.ts";
import type { DataFrame, Expr } from "nodejs-polars";
import {
  distinctTimes,
  everyInstant,
  KNOWN_COLUMNS,
  onlyScore,
  readTickerCodes,
  refuseAdjustedLevel,
} from "../table/score_columns.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { sortedTexts } from "../../frames/frame/times/distinct_texts.ts";
import { type HeldOut, heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { hasSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { sayAlike } from "./near_tickers.ts";
import { type GroupRows, readGroups } from "./read_groups.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { markOf } from "../../frames/frame/provenance/lineage.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { untoldRows } from "../../frames/vintage/untold_rows.ts";
import {
  readDayColumn,
  readInstantColumn,
  readNumbers,
  readTexts,
  type TextCodes,
} from "../table/read_columns.ts";

const ACTION = "align scores";
const ONLY_OF_SETS = [
  "snapshot_id",
  "calculated_at",
  "last_checked_at",
  "data_through",
  "prices_through",
];
const ONLY_OF_RELEASES = ["download_sha256", "availability"];

const LONGEST = 200;

/** Rows of scores, and the instants at which they were known. */
export interface TimedScores {
  /** Number of rows. */
  readonly height: number;
  /** The texts in its columns of provenance, sorted. */
  readonly from: {
    readonly factors: readonly string[];
    readonly releases: readonly string[];
    readonly sets: readonly string[];
  };
  /** Name of the column that is analysed. */
  readonly score: string;
  /** `date` for rows with dates of sessions (a release), `instant` for rows with the instants at which they were known (live sets). */
  readonly kind: "date" | "instant";
  /** The distinct dates (days since 1970-01-01) or instants (epoch milliseconds), ascending. */
  readonly times: Float64Array;
  /** Index into the times for each row. */
  readonly timeOf: Int32Array;
  /** The stock and the date of each time, where rows have both a date and an instant, so that each row is a time; `null` otherwise. */
  readonly versions: { readonly stockOf: Int32Array; readonly dayOf: Int32Array } | null;
  /** Publication of the set of each time, epoch milliseconds; `null` if the frame does not say. */
  readonly published: Float64Array | null;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** Index into the tickers for each row. */
  readonly tickerOf: Int32Array;
  /** The score of each row, with the other sign where low values are expected to earn more; NaN for null. */
  readonly scores: Float64Array;
  /** Values that are expected to earn more. */
  readonly direction: "high" | "low";
  /** Further columns, by name; NaN for null. */
  readonly columns: ReadonlyMap<string, Float64Array>;
  /** 1 for each row that a condition excludes; `null` if there is none. */
  readonly excluded: Uint8Array | null;
  /** The status of each row's set; `null` if the frame does not say. */
  readonly statuses: TextCodes | null;
  /** The groups of stocks; `null` if none were given. */
  readonly groups: GroupRows | null;
  /** Hold-out of the study of the scores; `null` if it has none. */
  readonly heldOut: HeldOut | null;
  /** True if any row is marked as synthetic. */
  readonly isSynthetic: boolean;
}

/** Parts of a frame of scores to read. */
interface ReadOptions {
  /** The column to analyse. @default the only one that is named like a score */
  readonly score?: string | undefined;
  /** Values that are expected to earn more. @default "high" */
  readonly direction?: "high" | "low" | undefined;
  /** Further columns to read. @default none */
  readonly columns?: readonly string[] | undefined;
  /** Condition on the rows that count. @default all rows */
  readonly where?: Expr | undefined;
  /** Groups of stocks. @default none */
  readonly groups?: DataFrame | undefined;
}

/**
 * Reads a frame of scores: a release, a panel, stacked score sets, or any frame with a date or an instant,
 * a ticker and a score; and its groups.
 *
 * @throws {TypeError} If a column is missing, or live sets are mixed with a release, or two definitions are mixed
 * @throws {RangeError} If a row claims to have been known before its check
 */
export function readScoreRows(
  frame: DataFrame,
  { score: name = onlyScore(ACTION, frame), direction = "high", columns = [], where, groups }:
    ReadOptions,
): TimedScores {
  const [factors, releases, sets] = ["factor", "download_sha256", "snapshot_id"]
    .map((column) => sortedTexts(frame, column)) as [string[], string[], string[]];
  const from = { factors, releases, sets };
  assertOneKind(frame, name, from);
  refuseAdjustedLevel(ACTION, frame, [name, ...columns]);
  refuseNames(columns);
  const { names: tickers, codes: tickerOf } = readTickerCodes(ACTION, frame);
  sayAlike("Tickers of the scores", tickers);
  const instants = instantsIn(frame);
  const isDated = instants.size === 0;
  const values = isDated ? readDayColumn(ACTION, frame, "date") : knownOf(instants);
  const areVersions = !isDated && from.sets.length === 0 && frame.columns.includes("date");
  const placed = areVersions
    ? versionsOf(values, readDayColumn(ACTION, frame, "date"), { tickers, tickerOf })
    : { ...distinctTimes(values), versions: null };
  return {
    from,
    height: values.length,
    score: name,
    kind: isDated ? "date" : "instant",
    ...placed,
    published: publishedOf(instants.get("calculated_at"), placed.times.length, placed.timeOf),
    tickers,
    tickerOf,
    // Low values first: the same ranks from the other end.
    scores: readScores(frame, name, from, direction),
    direction,
    groups: groups === undefined ? null : readGroups(groups),
    columns: new Map(columns.map((column) => [column, readNumbers(ACTION, frame, column)])),
    statuses: frame.columns.includes("status") ? readTexts(ACTION, frame, "status") : null,
    excluded: where === undefined ? null : excludedRows(ACTION, frame, where),
    heldOut: heldOutOf(frame),
    isSynthetic: hasSynthetic(frame),
  };
}

function readScores(
  frame: DataFrame,
  name: string,
  { releases, sets }: TimedScores["from"],
  direction: "high" | "low",
): Float64Array {
  const scores = readNumbers(ACTION, frame, name);
  if (releases.length + sets.length > 0) refuseNoScore(frame, name, scores);
  return direction === "low" ? scores.map((score) => 0 - score) : scores;
}

/**
 * Refuses values that no release or set holds in a column that says it is of one, such as those of a null that was filled.
 *
 * @throws {RangeError} If a score is outside of 0 to 1 and was not computed by a function of the library
 */
function refuseNoScore(frame: DataFrame, name: string, scores: Float64Array): void {
  if (!FACTORS.some((factor) => scoreNameOf(factor) === name)) return;
  const row = scores.findIndex((score) => score < 0 || score > 1);
  if (row === -1 || markOf(frame, COMPUTED_MARK) === true) return;
  throw new RangeError(
    `Cannot ${ACTION}: expected scores from 0 to 1 in the column ${name}, which says that it is of a release or set, got ` +
      `${
        scores[row]
      } in row ${row}; leave null where there is no score, or give scores of your own another name: ` +
      `scores.rename({ "${name}": "my_score" }), with score: "my_score"`,
  );
}

/** Refuses further columns with a name that aligned rows have already. */
function refuseNames(columns: readonly string[]): void {
  const taken = columns.find((name) =>
    ["session", "ticker", "score", "group", "known_at", "age", "quantile", "session_number"]
      .includes(name) || /^return_\d+$/.test(name)
  );
  if (taken === undefined) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected columns with names that aligned rows do not have, got "${taken}"; rename it`,
  );
}

/** Name of a time in a message: its date or its instant. */
export function timeText(
  { kind, times }: Pick<TimedScores, "kind" | "times">,
  time: number,
): string {
  return kind === "date" ? fromEpochDay(times[time]!) : instantOf(times[time]!);
}

// A release is reconstructed: its scores of a session were not published at the time.
function assertOneKind(frame: DataFrame, score: string, from: TimedScores["from"]): void {
  const once = {
    factor: from.factors,
    factor_version: sortedTexts(frame, "factor_version"),
    download_sha256: from.releases,
  };
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
  for (const [column, names] of Object.entries(once)) {
    if (names.length < 2) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected rows of one ${column}, got ${listText(names)}; keep one of ` +
        "them with a filter",
    );
  }
}

/** Rows in the order in which they were known, each with its stock and date. */
function versionsOf(
  known: Int32Array | Float64Array,
  days: Int32Array,
  { tickers, tickerOf }: Pick<TimedScores, "tickers" | "tickerOf">,
): Pick<TimedScores, "times" | "timeOf"> & { readonly versions: TimedScores["versions"] } {
  const order = [...days.keys()].sort((a, b) =>
    known[a]! - known[b]! || tickerOf[a]! - tickerOf[b]! || days[a]! - days[b]!
  );
  const timeOf = new Int32Array(order.length);
  for (const [time, row] of order.entries()) {
    timeOf[row] = time;
    const before = order[time - 1] ?? -1;
    const isSame = [known, tickerOf, days].every((column) => column[before] === column[row]);
    if (!isSame) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected one version of ${tickers[tickerOf[row]!]} for ${
        fromEpochDay(days[row]!)
      } known at ${instantOf(known[row]!)}, got two; keep the one that was valid`,
    );
  }
  return {
    times: Float64Array.from(order, (row) => known[row]!),
    timeOf,
    versions: {
      stockOf: Int32Array.from(order, (row) => tickerOf[row]!),
      dayOf: Int32Array.from(order, (row) => days[row]!),
    },
  };
}

type Instants = ReadonlyMap<typeof KNOWN_COLUMNS[number], Float64Array>;

function instantsIn(frame: DataFrame): Instants {
  return new Map(
    KNOWN_COLUMNS.filter((column) => frame.columns.includes(column))
      .map((column) => [column, readInstantColumn(ACTION, frame, column)]),
  );
}

/** The instants at which scores were known: those of the first column, which no other may be later than. */
function knownOf(instants: Instants): Float64Array {
  const [[column, given], ...checks] = [...instants] as [[string, Float64Array]];
  const known = everyInstant(ACTION, column, given);
  for (const [check, checked] of checks as [string, Float64Array][]) {
    const early = known.findIndex((ms, row) => ms < checked[row]!);
    if (early === -1) continue;
    throw new RangeError(
      `Cannot ${ACTION}: expected ${column} no earlier than ${check}, because a score is known ` +
        `when its check has ended, got ${instantOf(known[early]!)} in row ${early}, before ` +
        `${instantOf(checked[early]!)}; correct the column`,
    );
  }
  return known;
}

/** Publication of the set of each time; `null` if the frame does not say. */
function publishedOf(
  rows: Float64Array | undefined,
  count: number,
  timeOf: Int32Array,
): Float64Array | null {
  if (rows === undefined) return null;
  const published = new Float64Array(count).fill(NaN);
  for (let row = 0; row < rows.length; row++) {
    const at = rows[row]!;
    const time = timeOf[row]!;
    if (!(published[time]! >= at)) published[time] = at;
  }
  return published;
}

/**
 * 1 for each row on which a condition does not hold, or is null.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If it is not a condition on the columns of the frame
 */
export function excludedRows(action: string, frame: DataFrame, where: Expr): Uint8Array {
  if (typeof where === "object") refuseAdjustedLevel(action, frame, where);
  let kept: readonly unknown[] = [];
  let [found, text] = ["none", ""];
  try {
    // A frame that was given for the options has a method of this name.
    if (typeof where !== "object") throw new TypeError(`a ${typeof where}`);
    const column = frame.select(where.alias("kept")).getColumn("kept");
    kept = column.toArray();
    found = `${column.len()} values of the type ${String(column.dtype)}`;
  } catch (error) {
    found = faultOf(error);
    if (error instanceof MissingColumnError) {
      text = `, or write pl.lit("${error.column}") if it is a text`;
    }
  }
  const isCondition = kept.length === frame.height &&
    kept.every((value) => typeof value === "boolean" || value === null);
  if (isCondition) return Uint8Array.from(kept, (value) => value === true ? 0 : 1);
  throw new TypeError(
    `Cannot ${action}: expected where to be true or false in each row, such as pl.col("raw").gtEq(5), got ` +
      `${found.slice(0, LONGEST)}; join the columns that it needs to the scores${text}`,
  );
}
