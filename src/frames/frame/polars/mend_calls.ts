import { dirname } from "node:path";
import pl from "nodejs-polars";

type Method = (...given: unknown[]) => unknown;

interface Mended {
  readonly columns: readonly string[];
  readonly dtypes: readonly { toString(): string }[];
  readonly select: Method;
  readonly withColumns: Method;
}

const STRATEGIES = ["backward", "forward", "mean", "min", "max", "zero", "one"];
const NUMBERS = /Int|Float|Decimal/;
const TYPES_OF: Readonly<Record<string, RegExp>> = {
  number: NUMBERS,
  string: /String|Utf8/,
  boolean: /Bool/,
};

/**
 * Mends or refuses calls of a frame that end in an error of Polars without words, or in the end of the process:
 *
 * - `describe()` of a frame with texts, dates or categories: it describes the numbers (nodejs-polars 0.25.2 stacks columns of
 *   different types);
 * - `sort("x", { descending: true })` and `join(other, "ticker")`, which other verbs take so;
 * - `fillNull(0)` of a frame with dates or categories: it fills the numbers (nodejs-polars 0.25.2 makes numbers of dates);
 * - a path in a folder that does not exist, which panics;
 * - a number as text.
 */
export function mendFrame(frame: object): void {
  mendDescribe(frame);
  mendSort(frame);
  replace(frame, "join", (join) => (...given) => {
    const [other, on, ...rest] = given;
    const isName = typeof on === "string" || Array.isArray(on);
    return isName ? join(other, { on, ...rest[0] as object }) : join(...given);
  });
  mendFill(frame);
  for (const name of ["writeCSV", "writeParquet", "writeIPC", "writeJSON", "writeAvro"]) {
    replace(frame, name, (write) => (...given) => {
      assertFolder(name, given[0]);
      return write(...given);
    });
  }
  for (const name of ["head", "tail", "limit"]) {
    replace(frame, name, (take) => (...given) => {
      const [count] = given;
      if (count === undefined || typeof count === "number") return take(...given);
      const got = `${name}(${JSON.stringify(count)}), which is no number`;
      throw new TypeError(`Cannot take rows: expected ${name}(5), got ${got}`);
    });
  }
}

function mendDescribe(frame: object): void {
  replace(frame, "describe", (describe) => () => {
    const { columns, dtypes, select } = frame as Mended;
    const numbers = columns.filter((_, i) => NUMBERS.test(String(dtypes[i])));
    if (numbers.length === columns.length) return describe();
    if (numbers.length > 0) return (select(...numbers) as { describe(): unknown }).describe();
    throw new TypeError(
      `Cannot describe a frame: expected a column of numbers, got ${columns.join(", ")}; ` +
        "frame.groupBy(name).len() counts values",
    );
  });
}

function mendSort(frame: object): void {
  replace(frame, "sort", (sort) => (...given) => {
    const [by, order] = given;
    if (typeof order !== "object" || order === null) return sort(...given);
    if ("ascending" in order) {
      const options = `{ by: ${JSON.stringify(by)}, descending: ${order.ascending === false} }`;
      throw new TypeError(
        `Cannot sort a frame: expected descending, got ascending; write frame.sort(${options})`,
      );
    }
    return sort({ by, ...order });
  });
}

function mendFill(frame: object): void {
  replace(frame, "fillNull", (fill) => (...given) => {
    const [value] = given;
    if (typeof value === "string" && STRATEGIES.includes(value)) return fill(...given);
    const types = TYPES_OF[typeof value];
    if (types === undefined) return fill(...given);
    const { columns, dtypes } = frame as Mended;
    const filled = columns.filter((_, i) => types.test(String(dtypes[i])));
    return (frame as Mended).withColumns(
      ...filled.map((name) => pl.col(name).fillNull(pl.lit(value))),
    );
  });
}

/** Mends `get()`, and so `column[0]`, which nodejs-polars 0.25.2 has for numbers and texts alone. */
export function mendColumn(column: object): void {
  replace(column, "get", (get) => (index) => {
    try {
      return get(index);
    } catch {
      const { slice } = column as { slice(from: number, length: number): { toArray(): unknown[] } };
      return slice(index as number, 1).toArray()[0];
    }
  });
}

/** Replaces a method of an object by one that is made of it; an object without it stays as it is. */
export function replace(made: object, name: string, mend: (method: Method) => Method): void {
  const method = (made as Readonly<Record<string, unknown>>)[name];
  if (typeof method !== "function") return;
  const value = mend((...given) => (method as Method).apply(made, given));
  Object.defineProperty(made, name, { value, configurable: true, writable: true });
}

function assertFolder(name: string, path: unknown): void {
  if (typeof path !== "string") return;
  const folder = dirname(path);
  if (!isMissing(folder)) return;
  const make = `await Deno.mkdir(${JSON.stringify(folder)}, { recursive: true })`;
  throw new Error(
    `Cannot write ${path}: expected a folder that exists, got ${folder}, which does not; make it ` +
      `first: ${make}, and then frame.${name}(...)`,
  );
}

// node:fs would be loaded by every first cell.
function isMissing(folder: string): boolean {
  try {
    Deno.statSync(folder);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}
