import type { SignalOutput, SignalValue } from "./signal_output.ts";

/** A row that another future changed. */
export interface ChangedRow {
  readonly time: number;
  readonly ticker: string | null;
  /** Columns that changed. */
  readonly columns: readonly string[];
  /** Their values: of the whole history, and of the other one. */
  readonly values: readonly (readonly [SignalValue, SignalValue])[];
  /** Side that has any values there. */
  readonly side: "both" | "whole" | "other";
}

/** Two outputs of a signal, compared up to a time. */
export interface OutputDifference {
  /** Rows that were compared. */
  readonly rows: number;
  /** Rows that changed, in the order of time and ticker. */
  readonly changed: readonly ChangedRow[];
  /** Rows that differ by less than one part in 10¹², as sums in another order do. */
  readonly rounded: number;
  /** Rows of the other output behind the time that have a value. */
  readonly later: number;
}

const ROUNDING = 1e-12;

type Change = "same" | "rounded" | "changed";

/** Compares every row up to a time. */
export function compareUpTo(
  whole: SignalOutput,
  other: SignalOutput,
  until: number,
): OutputDifference {
  const columns = [...new Set([...whole.columns.keys(), ...other.columns.keys()])];
  const changed: ChangedRow[] = [];
  let [rows, rounded] = [0, 0];
  const compare = (row: number | undefined, otherRow: number | undefined) => {
    rows += 1;
    const { isRounded, ...found } = compareRow(columns, [whole, row], [other, otherRow]);
    if (found.columns.length === 0) {
      rounded += isRounded ? 1 : 0;
      return;
    }
    const [source, at] = row === undefined ? [other, otherRow!] : [whole, row];
    const ticker = source.tickers?.[at] ?? null;
    changed.push({ time: source.times.values[at]!, ticker, ...found });
  };
  for (const [key, row] of whole.rowOf) {
    if (whole.times.values[row]! <= until) compare(row, other.rowOf.get(key));
  }
  const isBefore = beforeWindow(whole, other);
  for (const [key, row] of other.rowOf) {
    const isOpen = other.times.values[row]! <= until && !whole.rowOf.has(key);
    if (isOpen && !isBefore(row)) compare(undefined, row);
  }
  changed.sort(inOrder);
  const cells = [...other.columns.values()];
  const later =
    other.times.values.filter((time, row) =>
      time > until && cells.some((values) => !isBlank(values[row]))
    ).length;
  return { rows, changed, rounded, later };
}

/**
 * Rows of the other output before the first one of the whole history: a signal that gives its last sessions only begins earlier on a
 * shorter history. A ticker begins earlier by itself if the signal gives each ticker the same number of last rows.
 */
function beforeWindow(whole: SignalOutput, other: SignalOutput): (row: number) => boolean {
  const own = windowsOf(whole);
  const [most, otherMost] = [own, windowsOf(other)].map((windows) =>
    Math.max(...[...windows].map(([name, { times }]) => name === undefined ? 0 : times.size))
  );
  return (row) => {
    const time = other.times.values[row]!;
    const window = own.get(other.tickers?.[row] ?? null);
    return time < own.get(undefined)!.first ||
      (window !== undefined && time < window.first && window.times.size === most &&
        most === otherMost);
  };
}

interface OutputWindow {
  first: number;
  readonly times: Set<number>;
}

/** The times with a row of each ticker, and under `undefined` those of all. */
function windowsOf({ times, tickers }: SignalOutput): Map<string | null | undefined, OutputWindow> {
  const windows = new Map<string | null | undefined, OutputWindow>();
  for (const [row, time] of times.values.entries()) {
    for (const name of [tickers?.[row] ?? null, undefined]) {
      const window = windows.get(name) ?? { first: Infinity, times: new Set() };
      window.first = Math.min(window.first, time);
      window.times.add(time);
      windows.set(name, window);
    }
  }
  return windows;
}

/** A row of an output; `undefined` for none. */
type Place = readonly [output: SignalOutput, row: number | undefined];

function compareRow(columns: readonly string[], a: Place, b: Place) {
  const changed: string[] = [];
  const values: (readonly [SignalValue, SignalValue])[] = [];
  let isRounded = false;
  let [hasA, hasB] = [false, false];
  for (const name of columns) {
    const [first, second] = [cellOf(a, name), cellOf(b, name)];
    if (!isBlank(first)) hasA = true;
    if (!isBlank(second)) hasB = true;
    const change = compareCells(first, second);
    if (change === "rounded") isRounded = true;
    if (change !== "changed") continue;
    values.push([first, second]);
    changed.push(name);
  }
  const side: ChangedRow["side"] = hasA === hasB ? "both" : hasA ? "whole" : "other";
  // A row without a value counts as a missing row.
  return { columns: hasA || hasB ? changed : [], values, isRounded, side };
}

function cellOf([output, row]: Place, name: string): SignalValue {
  return row === undefined ? null : output.columns.get(name)?.[row] ?? null;
}

/** True for null and NaN. */
export function isBlank(cell: SignalValue): boolean {
  return cell === null || Number.isNaN(cell);
}

function compareCells(a: SignalValue, b: SignalValue): Change {
  if (Object.is(a, b)) return "same";
  if (typeof a === "number" && typeof b === "number") {
    const size = Math.max(Math.abs(a), Math.abs(b));
    return Math.abs(a - b) <= ROUNDING * size ? "rounded" : "changed";
  }
  if (a === null || b === null) return "changed";
  return textOf(a) === textOf(b) ? "same" : "changed";
}

function textOf(cell: SignalValue): string {
  if (cell instanceof Date) return String(cell.getTime());
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

function inOrder(a: ChangedRow, b: ChangedRow): number {
  if (a.time !== b.time) return a.time - b.time;
  const [first, second] = [a.ticker ?? "", b.ticker ?? ""];
  return first < second ? -1 : first > second ? 1 : 0;
}
