import type { DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../contract/factor.ts";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { instantOf } from "../../contract/instant.ts";
import { readDays, readInstants, readNumbers, readTexts } from "../table/read_columns.ts";

const ACTION = "align scores";
const KNOWN_COLUMNS = ["at", "last_checked_at", "calculated_at"] as const;

/** Rows of scores, and when what they belong to was known. */
export interface ScoreRows {
  /** How many rows there are. */
  readonly height: number;
  /** Name of the column that is analysed. */
  readonly score: string;
  /** Whether rows bear dates of sessions (a release), or instants at which they were known (live sets). */
  readonly kind: "date" | "instant";
  /** The distinct dates (days since 1970-01-01) or instants (epoch milliseconds), ascending. */
  readonly times: Float64Array;
  /** Index into the times for each row. */
  readonly timeOf: Int32Array;
  /** When the set of each time was published, epoch milliseconds; `null` if the frame does not say. */
  readonly published: Float64Array | null;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** Index into the tickers for each row. */
  readonly tickerOf: Int32Array;
  /** The score of each row; NaN for null. */
  readonly scores: Float64Array;
  /** The status of each row's set; `null` if the frame does not say. */
  readonly statuses: { readonly names: readonly string[]; readonly codes: Int32Array } | null;
}

/**
 * Reads a frame of scores: a release, a panel, score sets one below the other, or any frame with a date or an instant,
 * a ticker and a score.
 *
 * @param score The column to analyse; `null` for the only one that is named like a score
 * @throws {TypeError} If a column is missing, live sets are mixed with a release, or two definitions with each other
 * @throws {RangeError} If a row claims to have been known before its check
 */
export function readScoreRows(frame: DataFrame, score: string | null): ScoreRows {
  assertOneKind(frame);
  const name = score ?? onlyScore(frame);
  const { names: tickers, codes: tickerOf } = readTexts(ACTION, frame, "ticker");
  if (tickerOf.includes(-1)) {
    throw new TypeError(`Cannot ${ACTION}: a ticker in every row is required`);
  }
  const known = KNOWN_COLUMNS.find((column) => frame.columns.includes(column));
  const values = known === undefined ? readDays(ACTION, frame, "date") : readKnown(frame, known);
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
    statuses: frame.columns.includes("status") ? readTexts(ACTION, frame, "status") : null,
  };
}

/** What a row of a time is called in a message: its date or its instant. */
export function timeText({ kind, times }: ScoreRows, time: number): string {
  return kind === "date" ? fromEpochDay(times[time]!) : instantOf(times[time]!);
}

function onlyScore(frame: DataFrame): string {
  const names = [...FACTORS.map(scoreNameOf), "score"];
  const found = frame.columns.filter((column) => names.includes(column));
  if (found.length === 1) return found[0]!;
  throw new TypeError(
    `Cannot ${ACTION}: one column of scores is required (${names.join(", ")}), the frame has ` +
      `${frame.columns.join(", ")}; name one: { score: "${found[0] ?? "my_score"}" }`,
  );
}

// A release is reconstructed: what it says of a session was not published then.
function assertOneKind(frame: DataFrame): void {
  const filled = (name: string) =>
    frame.columns.includes(name) && frame.getColumn(name).nullCount() < frame.height;
  if (filled("snapshot_id") && filled("download_sha256")) {
    throw new TypeError(
      `Cannot ${ACTION}: live score sets or a release are required, the frame mixes both; align ` +
        "each on its own",
    );
  }
  for (const column of ["factor", "factor_version"]) {
    if (!frame.columns.includes(column)) continue;
    const { names } = readTexts(ACTION, frame, column);
    if (names.length < 2) continue;
    throw new TypeError(
      `Cannot ${ACTION}: rows of one ${column} are required, got ${
        names.join(" and ")
      }; filter one`,
    );
  }
}

function readKnown(frame: DataFrame, column: typeof KNOWN_COLUMNS[number]): Float64Array {
  const known = readInstants(ACTION, frame, column);
  const missing = known.findIndex(Number.isNaN);
  if (missing !== -1) {
    throw new TypeError(
      `Cannot ${ACTION}: an instant in every row of ${column} is required, row ${missing} has none`,
    );
  }
  for (const check of KNOWN_COLUMNS) {
    if (check === column || !frame.columns.includes(check)) continue;
    const checked = readInstants(ACTION, frame, check);
    const early = known.findIndex((ms, row) => ms < checked[row]!);
    if (early === -1) continue;
    throw new RangeError(
      `Cannot ${ACTION}: a score is known when its check ended, row ${early} has ${column} ` +
        `${instantOf(known[early]!)} before ${check} ${instantOf(checked[early]!)}`,
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
  const rows = readInstants(ACTION, frame, "calculated_at");
  const published = new Float64Array(count).fill(NaN);
  for (let row = 0; row < rows.length; row++) {
    const at = rows[row]!;
    const time = timeOf[row]!;
    if (!(published[time]! >= at)) published[time] = at;
  }
  return published;
}

/** The distinct values, ascending, and which of them each row has. */
function distinctTimes(
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
