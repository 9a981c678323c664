import type { DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { readTexts } from "../table/read_columns.ts";
import { inDays, readAbout, readRowTimes, type RowTimes, timeColumnOf } from "./read_row_times.ts";

/** Frames that a signal is made of, by name. */
export type SignalInputs = Readonly<Record<string, DataFrame>>;

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
