import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import {
  inDays,
  readRowTimes,
  type RowTimes,
  type SignalInputs,
  tickersOf,
  timeColumnOf,
  type TimeUnit,
} from "./probed_input.ts";

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
  const tickers = frame.columns.includes("ticker") ? tickersOf(action, frame) : null;
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
