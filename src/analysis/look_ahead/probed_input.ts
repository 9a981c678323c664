import type { DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { readDayColumn, readInstantColumn, readTexts } from "../table/read_columns.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { columnType } from "../../frames/frame/times/column_type.ts";
import { KNOWN_COLUMNS } from "../table/score_columns.ts";

// The first that a frame has says when a row was known.
const TIMES: readonly string[] = ["known_at", ...KNOWN_COLUMNS, "session", "date"];

// What a row is about, where another column says when it was known.
const ABOUT: readonly string[] = ["session", "date", "period"];

/** Frames that a signal is made of, by name. */
export type SignalInputs = Readonly<Record<string, DataFrame>>;

/** Unit in which times are compared: whole days, or instants where every frame has them. */
export type TimeUnit = "day" | "instant";

/** Times of the rows of a frame. */
export interface RowTimes {
  /** The column. */
  readonly column: string;
  /** Days since 1970-01-01, or epoch milliseconds. */
  readonly unit: TimeUnit;
  /** Time of each row. */
  readonly values: Float64Array;
}

/** An input of a signal, with its times. */
export interface ProbedInput {
  readonly name: string;
  readonly frame: DataFrame;
  /** Time at which each row was known; `null` for a frame that is never cut. */
  readonly times: RowTimes | null;
  /** The day that each row is about; `null` if it is that of its time. */
  readonly about: Float64Array | null;
  /** Ticker of each row; `null` if the frame has none. */
  readonly tickers: readonly (string | null)[] | null;
}

/**
 * Reads the inputs of a signal.
 *
 * @param columns Column of times by input; `null` for an input that is never cut
 * @throws {TypeError} If an input is not a frame, a column is missing, or no input has times
 */
export function readInputs(
  action: string,
  inputs: SignalInputs,
  columns: Readonly<Record<string, string | null>>,
): readonly ProbedInput[] {
  const isFrame = Object(inputs)[Symbol.toStringTag] === "DataFrame";
  if (typeof inputs !== "object" || inputs === null || isFrame) {
    throw new TypeError(
      `Cannot ${action}: expected the frames of the signal by name, such as { prices }, got ` +
        `${isFrame ? "a frame" : describe(inputs)}`,
    );
  }
  const unknown = Object.keys(columns).find((name) => !Object.hasOwn(inputs, name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot ${action}: expected times of inputs (${listText(Object.keys(inputs))}), got one of ` +
        `${describe(unknown)}`,
    );
  }
  const read = Object.entries(inputs).map(([name, frame]) =>
    readInput(`${action} with its input ${name}`, { name, frame }, columns[name])
  );
  if (read.some(({ times }) => times !== null)) return read;
  throw new TypeError(
    `Cannot ${action}: expected an input with a column of times (known_at, at, session or date), got ${
      listText(read.map(({ name, frame }) => `${name} with ${listText(frame.columns)}`)) || "none"
    }; name one: { times: { ${read[0]?.name ?? "prices"}: "my_date" } }`,
  );
}

/** Inputs whose times are all days. */
export function inputsInDays(inputs: readonly ProbedInput[]): readonly ProbedInput[] {
  return inputs.map((input) => ({
    ...input,
    times: input.times === null ? null : inDays(input.times),
  }));
}

function readInput(
  action: string,
  { name, frame }: { readonly name: string; readonly frame: DataFrame },
  given: string | null | undefined,
): ProbedInput {
  assertFrame(action, frame);
  const column = given === undefined ? timeColumnOf(frame) : given ?? undefined;
  const tickers = frame.columns.includes("ticker") ? tickersOf(action, frame) : null;
  if (column === undefined) return { name, frame, times: null, about: null, tickers };
  return {
    name,
    frame,
    times: readRowTimes(action, frame, column),
    about: readAbout(action, frame, column),
    tickers,
  };
}

/** Tickers of the rows; `null` where there is none. */
export function tickersOf(action: string, frame: DataFrame): readonly (string | null)[] {
  const { names, codes } = readTexts(action, frame, "ticker");
  return Array.from(codes, (code) => names[code] ?? null);
}

/** The column that says when the rows of a frame were known; `undefined` if it has none. */
export function timeColumnOf({ columns }: DataFrame): string | undefined {
  return TIMES.find((name) => columns.includes(name));
}

/**
 * The times of a column of days or of instants.
 *
 * @throws {TypeError} If it holds neither, or a null
 */
export function readRowTimes(action: string, frame: DataFrame, column: string): RowTimes {
  if (!isInstants(frame, column)) {
    return { column, unit: "day", values: Float64Array.from(readDayColumn(action, frame, column)) };
  }
  const values = readInstantColumn(action, frame, column);
  const missing = values.findIndex(Number.isNaN);
  if (missing === -1) return { column, unit: "instant", values };
  throw new TypeError(
    `Cannot ${action}: expected an instant in every row of ${column}, got null in row ${missing}; ` +
      "drop such rows",
  );
}

/** The days that rows are about, where another column says when they were known; else `null`. */
function readAbout(action: string, frame: DataFrame, known: string): Float64Array | null {
  const column = ABOUT.find((name) => frame.columns.includes(name));
  if (column === undefined || ABOUT.includes(known)) return null;
  try {
    return inDays(readRowTimes(action, frame, column)).values;
  } catch {
    // A period such as "2026Q3" is no day: what was restated cannot be told apart then.
    return null;
  }
}

/** Times as days, those of instants in New York. */
export function inDays(times: RowTimes): RowTimes {
  if (times.unit === "day") return times;
  return { ...times, unit: "day", values: times.values.map(newYorkDay) };
}

function isInstants(frame: DataFrame, column: string): boolean {
  if (!frame.columns.includes(column)) return false;
  const values = frame.getColumn(column);
  const { isText, name, zone } = columnType(values);
  if (!isText) return name === "Datetime" && zone !== null;
  const first = values.head(1).toArray()[0] as string | null | undefined;
  return typeof first === "string" && first.length > "2026-10-30".length;
}
