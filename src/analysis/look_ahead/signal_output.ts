import pl, { type DataFrame, type Series } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { readDayColumn, readInstantColumn, readTexts } from "../table/read_columns.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { columnType } from "../../frames/frame/times/column_type.ts";
import { KNOWN_COLUMNS } from "../table/score_columns.ts";
import type { RandomSource } from "../inference/bootstrap.ts";

// The first that a frame has says when a row was known.
const TIMES: readonly string[] = ["known_at", ...KNOWN_COLUMNS, "session", "date"];

// What a row is about, where another column says when it was known.
const ABOUT: readonly string[] = ["session", "date", "period"];

/** Frames that a signal is made of, by name. */
export type SignalInputs = Readonly<Record<string, DataFrame>>;

/** Unit in which times are compared: whole days, or instants where every frame has them. */
export type TimeUnit = "day" | "instant";

/** Times of the rows of a frame. */
interface RowTimes {
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
    readInput(`${action} with its input ${name}`, name, frame, columns[name])
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
  name: string,
  frame: DataFrame,
  given: string | null | undefined,
): ProbedInput {
  assertFrame(action, frame);
  const column = given === undefined ? timeColumnOf(frame) : given;
  const read = { name, frame, tickers: tickersOf(action, frame) };
  if (column === undefined || column === null) return { ...read, times: null, about: null };
  const times = readRowTimes(action, frame, column);
  return { ...read, times, about: readAbout(action, frame, column) };
}

/** Tickers of the rows, `null` where there is none; `null` for a frame without. */
function tickersOf(action: string, frame: DataFrame): readonly (string | null)[] | null {
  if (!frame.columns.includes("ticker")) return null;
  const { names, codes } = readTexts(action, frame, "ticker");
  return Array.from(codes, (code) => names[code] ?? null);
}

/** The column that says when the rows of a frame were known; `undefined` if it has none. */
function timeColumnOf({ columns }: DataFrame): string | undefined {
  return TIMES.find((name) => columns.includes(name));
}

/**
 * The times of a column of days or of instants.
 *
 * @throws {TypeError} If it holds neither, or a null
 */
function readRowTimes(action: string, frame: DataFrame, column: string): RowTimes {
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
function inDays(times: RowTimes): RowTimes {
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

/** A value of a frame. */
export type SignalValue = unknown;

/** Rows that a signal gave, by time, ticker, and their number among those of both. */
export interface SignalOutput {
  readonly times: RowTimes;
  readonly tickers: readonly (string | null)[] | null;
  /** Values by column, without time and ticker. */
  readonly columns: ReadonlyMap<string, readonly SignalValue[]>;
  /** Row by its key. */
  readonly rowOf: ReadonlyMap<string, number>;
}

/**
 * Reads what a signal gave.
 *
 * @param given Column of times; the usual ones if it is left out
 * @throws {TypeError} If it is not a frame, or has no column of times
 */
export function readOutput(
  action: string,
  frame: unknown,
  given: string | undefined,
): SignalOutput {
  assertFrame(action, frame);
  const column = given ?? timeColumnOf(frame);
  if (column === undefined || !frame.columns.includes(column)) {
    throw new TypeError(
      `Cannot ${action}: expected rows with a column of times (${
        given ?? "at, session or date"
      }), got ${frame.columns.join(", ")}; name it: { time: "my_date" }`,
    );
  }
  const times = readRowTimes(action, frame, column);
  const tickers = tickersOf(action, frame);
  const columns = frame.columns.filter((name) => name !== column && name !== "ticker");
  return {
    times,
    tickers,
    columns: new Map(columns.map((name) => [name, frame.getColumn(name).toArray()])),
    rowOf: keysOf(times, tickers),
  };
}

/** The output with its times in a unit. */
export function outputIn(output: SignalOutput, unit: TimeUnit): SignalOutput {
  if (unit !== "day" || output.times.unit === "day") return output;
  const times = inDays(output.times);
  return { ...output, times, rowOf: keysOf(times, output.tickers) };
}

function keysOf(
  { values }: RowTimes,
  tickers: readonly (string | null)[] | null,
): ReadonlyMap<string, number> {
  const rowOf = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const [row, time] of values.entries()) {
    const name = `${time} ${tickers?.[row] ?? ""}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    rowOf.set(count === 0 ? name : `${name} ${count}`, row);
  }
  return rowOf;
}

/** A function from frames to a frame. */
export type Signal<Inputs extends SignalInputs> = (
  inputs: Inputs,
) => DataFrame | Promise<DataFrame>;

/** Runs a signal on copies of its inputs, so that changes to them do not affect other runs. */
export async function runSignal<Inputs extends SignalInputs>(
  signal: Signal<Inputs>,
  inputs: SignalInputs,
): Promise<Readonly<{ frame: DataFrame; mutated: readonly string[] }>> {
  const given = Object.fromEntries(
    Object.entries(inputs).map(([name, frame]) => [name, frame.clone()]),
  );
  const copies = { ...given };
  const frame = await signal(given as unknown as Inputs);
  const mutated = Object.entries(inputs)
    .filter(([name, before]) => given[name] !== copies[name] || !isSame(before, copies[name]!))
    .map(([name]) => name);
  return { frame, mutated };
}

function isSame(before: DataFrame, after: DataFrame): boolean {
  return before.columns.join() === after.columns.join() && before.frameEqual(after);
}

/** Change of the rows behind a cut; `restated`: of the values of those that are about the time before it. */
export type FutureChange = "removed" | "shuffled" | "perturbed" | "restated";

/** A cut of the history, and the change made after it. */
export interface Cut {
  /** The last unchanged time. */
  readonly time: number;
  readonly change: FutureChange;
  /** Tickers without rows after the cut in the run with perturbed values. */
  readonly ended: ReadonlySet<string>;
}

/** An input whose rows up to the cut are unchanged, in their order. */
export function changeFuture(input: ProbedInput, cut: Cut, random: RandomSource): DataFrame {
  const { frame, times } = input;
  if (times === null) return frame.clone();
  const isLater = times.values.map((time) => time > cut.time ? 1 : 0);
  const day = inDays({ ...times, values: Float64Array.of(cut.time) }).values[0]!;
  const { about } = input;
  if (cut.change === "removed") return keep(frame, (row) => isLater[row] === 0);
  // Later knowledge about the past is left to the change "restated".
  const isFuture = isLater.map((later, row) =>
    later === 1 && (about === null || about[row]! > day) !== (cut.change === "restated") ? 1 : 0
  );
  const shuffled = shuffle(input, isFuture, random);
  if (cut.change === "shuffled") return shuffled;
  const moved = perturb(shuffled, { input, isFuture }, random);
  if (cut.change === "restated") return moved;
  const { tickers } = input;
  return keep(moved, (row) => isFuture[row] === 0 || !cut.ended.has(tickers?.[row] ?? ""));
}

/** True if the input has rows that were known after a cut and are about what lies before it. */
export function hasRestated({ times, about }: ProbedInput, time: number): boolean {
  if (times === null || about === null) return false;
  const day = inDays({ ...times, values: Float64Array.of(time) }).values[0]!;
  return about.some((of, row) => of <= day && times.values[row]! > time);
}

function keep(frame: DataFrame, isKept: (row: number) => boolean): DataFrame {
  const kept = Array.from({ length: frame.height }, (_, i) => isKept(i));
  const mask = pl.Series("kept", kept, pl.Bool);
  return pl.DataFrame(frame.getColumns().map((column) => column.filter(mask)));
}

/** Values of the future in other rows of it, those of a row together; times and tickers stay. */
function shuffle(input: ProbedInput, isFuture: Float64Array, random: RandomSource): DataFrame {
  const { frame } = input;
  const future = [...isFuture.keys()].filter((row) => isFuture[row] === 1);
  const from = Int32Array.from(isFuture.keys());
  const others = [...future];
  for (let i = others.length - 1; i > 0; i--) {
    // Each row moves (Sattolo), so that no value stays where it was by chance.
    const j = random.below(i);
    [others[i], others[j]] = [others[j]!, others[i]!];
  }
  for (const [i, row] of future.entries()) from[row] = others[i]!;
  const rows = Array.from(from);
  const isSame = (column: Series) => isFixed(column, input) || rows.length === 0;
  const columns = frame.getColumns().map((one) => isSame(one) ? one : one.gather(rows));
  return pl.DataFrame(columns);
}

function perturb(
  frame: DataFrame,
  { input, isFuture }: { readonly input: ProbedInput; readonly isFuture: Float64Array },
  random: RandomSource,
): DataFrame {
  const factors = isFuture.map((future) => future === 1 ? Math.exp(random.uniform() - 0.3) : 1);
  const factor = pl.Series("scoreframe_factor", factors, pl.Float64);
  const columns = frame.getColumns().map((column) => {
    const { name } = columnType(column);
    if (!name.startsWith("Float") || isFixed(column, input)) return column;
    return column.mul(factor).cast(column.dtype).rename(column.name);
  });
  return pl.DataFrame(columns);
}

function isFixed(column: Series, { times }: ProbedInput): boolean {
  const { name } = columnType(column);
  return column.name === "ticker" || column.name === times?.column || /^Date/.test(name) ||
    ["session", "date", "period"].includes(column.name);
}
