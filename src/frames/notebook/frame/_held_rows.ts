import { cellOf, type CellStyle, cellStyle } from "./_cell.ts";
import type { SeriesLike } from "./frame_like.ts";

/** Rows in the display of a frame, which can be sorted, searched and paged without a kernel. */
export interface HeldRows {
  /** Rows of the frame. */
  readonly height: number;
  /** Held rows. */
  readonly held: number;
  /** Number of held rows from the start of the frame; the others are its last ones. */
  readonly head: number;
  /** Rows initially shown at each end of the table. */
  readonly edge: number;
  /** Position of the gap between the shown columns, or -1. */
  readonly gap: number;
  /** Shown columns, in order. */
  readonly columns: readonly HeldColumn[];
}

/** Values of one column for a page. */
export interface HeldColumn {
  /** True if values are compared and formatted as numbers. */
  readonly isNumber: boolean;
  /** Format of the column. */
  readonly style: Pick<CellStyle, "align" | "number">;
  /** Numbers or texts; numbers that JSON cannot represent are texts. */
  readonly values: readonly HeldValue[];
  /** Positions in `values` by row, for repeated values. */
  readonly at?: readonly number[];
}

/** A value, or a text in its shown and full forms. */
export type HeldValue = null | number | string | readonly [string, string];

/** Part of a frame to hold. */
export interface HeldPart {
  /** Shown columns by name. */
  readonly columns: ReadonlyMap<string, SeriesLike>;
  /** Position of the gap between them, or -1. */
  readonly gap: number;
  /** Rows of the frame. */
  readonly height: number;
  /** Rows at each end of the table. */
  readonly edge: number;
  /** Rows to hold; `undefined` holds as many as fit. */
  readonly rows: number | undefined;
  /** Longest text of a column in characters. */
  readonly maxLength: (name: string) => number;
  /** Largest total size in characters. */
  readonly budget: number;
}

// A table of ten rows needs no sorting. A slow machine sorts and searches 5,000 rows without delay.
const SMALL = 10;
const MAX_ROWS = 5_000;
const MARGIN = 0.9;
const MAX_FULL = 500;

/** Rows to hold, as JSON for a script element; `null` if the table is small or no rows fit. */
export function heldJson(part: HeldPart): string | null {
  const { height, rows, budget, columns } = part;
  if (height <= SMALL || columns.size === 0 || rows === 0) return null;
  const limit = rows === undefined ? budget : Infinity;
  let count = Math.min(height, rows ?? MAX_ROWS);
  for (;;) {
    const json = toScriptJson(holdRows(part, count));
    if (json.length <= limit) return json;
    count = Math.floor(count * MARGIN * limit / json.length);
    if (count <= SMALL) return null;
  }
}

function holdRows(part: HeldPart, held: number): HeldRows {
  const { height, edge, gap, columns, maxLength } = part;
  const head = held === height ? held : Math.ceil(held / 2);
  const taken = [...columns].map(([name, series]) => {
    const values = [
      ...series.slice(0, head).toArray(),
      ...(head === held ? [] : series.slice(height - (held - head), held - head).toArray()),
    ];
    return holdColumn(values, {
      name,
      dtype: series.dtype,
      maxLength: maxLength(name),
    });
  });
  return { height, held, head, edge, gap, columns: taken };
}

function holdColumn(
  values: readonly unknown[],
  column: { readonly name: string; readonly dtype: unknown; readonly maxLength: number },
): HeldColumn {
  const { align, number, ...rest } = cellStyle({ ...column, values });
  const style = { align, number };
  const isNumber = align === "right" && values.every(isNumeric);
  if (isNumber) return { isNumber, style, values: values.map(heldNumber) };
  const texts = values.map((value) => heldText(value, { ...style, ...rest }));
  const distinct = new Map(texts.map((text) => [JSON.stringify(text), text]));
  if (distinct.size > texts.length / 2) return { isNumber, style, values: texts };
  const places = new Map([...distinct.keys()].map((key, at) => [key, at]));
  const at = texts.map((text) => places.get(JSON.stringify(text))!);
  return { isNumber, style, values: [...distinct.values()], at };
}

function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "number" ||
    typeof value === "bigint";
}

function heldNumber(value: unknown): HeldValue {
  if (value === null || value === undefined) return null;
  return Number.isFinite(value) ? value as number : String(value);
}

function heldText(value: unknown, style: CellStyle): HeldValue {
  const { text, full } = cellOf(value, style);
  return full === undefined || text === null ? text : [text, full.slice(0, MAX_FULL)];
}

/** JSON that cannot end the script element around it. */
function toScriptJson(held: HeldRows): string {
  return JSON.stringify(held).replaceAll("<", "\\u003c");
}
