import type { DataFrame } from "nodejs-polars";
import { meanOf } from "../../../base/statistics/moments.ts";
import type { TypedFrame } from "../../../frames/frame/typed/typed_frame.ts";
import type { Schema, ValueOf } from "../../../frames/frame/typed/columns.ts";

/** A value as a specification holds it: dates are YYYY-MM-DD, instants ISO 8601. */
export type Value = string | number | boolean | null;

/** A row that a specification embeds. */
export type Row = Readonly<Record<string, Value>>;

/** A row of a frame whose columns are known. */
export type RowOf<Frame extends { readonly schema: unknown }> = Cells<Frame["schema"]>;

type Cells<Columns> = { readonly [Name in keyof Columns]: Shown<ValueOf<Columns[Name]>> };

type Shown<Cell> = Cell extends Date ? string : unknown extends Cell ? Value : Cell;

const DIGITS = 6;
const MIDNIGHT = "T00:00:00.000Z";

/**
 * Rows of a small frame, with fractions rounded to six digits, which is all that a chart shows. Reading by column takes a
 * third of the time of reading records.
 *
 * @param names The columns to read; all by default
 */
export function rowsOf<Columns extends Schema, Name extends keyof Columns & string>(
  frame: TypedFrame<Columns>,
  names?: readonly Name[],
): readonly Cells<Pick<Columns, Name>>[];
export function rowsOf(frame: DataFrame, names?: readonly string[]): readonly Row[];
export function rowsOf(frame: DataFrame, names: readonly string[] = frame.columns): readonly Row[] {
  // Several series share dates, and formatting is the slowest step.
  const texts = new Map<number, Value>();
  const shown = (value: unknown) => {
    if (!(value instanceof Date)) return toValue(value);
    const text = texts.get(value.getTime()) ?? toValue(value);
    texts.set(value.getTime(), text);
    return text;
  };
  const columns = names.map((name) => (frame.getColumn(name).toArray() as unknown[]).map(shown));
  return Array.from({ length: frame.height }, (_, i) => {
    const row: Record<string, Value> = {};
    for (const [j, name] of names.entries()) row[name] = columns[j]![i]!;
    return row;
  });
}

/** Value in the form that a specification embeds: rounded fractions, whole counts, dates as text, and null for anything that is not finite. */
export function toValue(value: unknown): Value {
  if (typeof value === "number") {
    if (Number.isInteger(value)) return value;
    return Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null;
  }
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith(MIDNIGHT) ? text.slice(0, 10) : text;
  }
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

/** The number of a row; NaN if it has none. */
export function numberIn(row: Row | undefined, name: string): number {
  const value = row?.[name];
  return typeof value === "number" ? value : NaN;
}

/** A row that has a number in a column. */
export type Known<Given extends Row, Name extends string> =
  & Given
  & Readonly<Record<Name, number>>;

/** The rows that have a number in a column. */
export function withNumber<Given extends Row, Name extends string>(
  rows: readonly Given[],
  name: Name,
): readonly Known<Given, Name>[] {
  return rows.filter((row): row is Known<Given, Name> => !Number.isNaN(numberIn(row, name)));
}

/** The same, the lowest number first. */
export function ascending<Given extends Row, Name extends string>(
  rows: readonly Given[],
  name: Name,
): readonly Known<Given, Name>[] {
  return withNumber(rows, name).toSorted((a, b) => numberIn(a, name) - numberIn(b, name));
}

/** True if the interval of a row, from `low` to `high`, excludes zero. */
export function isApart(row: Row): boolean {
  return numberIn(row, "low") > 0 || numberIn(row, "high") < 0;
}

/** Sum of a column; NaN if a row has no number. */
export function columnSum(rows: readonly Row[], name: string): number {
  return rows.reduce((sum, row) => sum + numberIn(row, name), 0);
}

/** Mean of the known numbers; `null` without any. */
export function meanOfKnown(values: readonly number[]): number | null {
  return toValue(meanOf(values.filter((value) => !Number.isNaN(value)))) as number | null;
}
