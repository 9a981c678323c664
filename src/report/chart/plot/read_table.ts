import type { DataFrame } from "nodejs-polars";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { toValue, type Value } from "../grammar/values.ts";
import type { PlotOptions } from "./plot_options.ts";
import type { FieldType, PlotColumn, PlotColumns, RowTable } from "./plot_columns.ts";

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
const PLAIN = /^[A-Za-z_][\w ]*$/;

/**
 * Reads columns of a frame into the form that pictures embed.
 *
 * @throws {TypeError} If it is not a frame, or a column is missing
 */
function readTable(
  action: string,
  frame: DataFrame | RowTable,
  names: readonly string[],
): ReadonlyMap<string, PlotColumn> {
  const isTable = typeof (frame as Partial<RowTable> | null)?.columnNames === "function";
  if (!isTable) assertFrame(action, frame);
  const columns = isTable ? (frame as RowTable).columnNames() : (frame as DataFrame).columns;
  for (const name of names) assertThere(action, name, columns);
  const objects = isTable ? (frame as RowTable).objects() as Record<string, unknown>[] : [];
  const given = (name: string) =>
    isTable ? objects.map((row) => row[name]) : valuesOf(frame as DataFrame, name);
  return new Map(names.map((name, i) => [name, columnOf(name, given(name), { place: i, names })]));
}

function valuesOf(frame: DataFrame, name: string): readonly unknown[] {
  return frame.getColumn(name).toArray() as unknown[];
}

function assertThere(action: string, name: string, columns: readonly string[]): void {
  if (columns.includes(name)) return;
  const near = nearestName(String(name), columns);
  const shown = columns.slice(0, 20).join(", ") + (columns.length > 20 ? ", …" : "");
  throw new TypeError(
    `Cannot ${action}: expected a column of the frame, ${shown}, got ${JSON.stringify(name)}` +
      (near === null || near === undefined ? "" : `; did you mean ${near}?`),
  );
}

function columnOf(
  name: string,
  given: readonly unknown[],
  { place, names }: { readonly place: number; readonly names: readonly string[] },
): PlotColumn {
  const isBroken = (value: unknown) => typeof value === "number" && !Number.isFinite(value);
  const exact = rounding(given);
  const values = given.map((value) => typeof value === "number" ? exact(value) : toValue(value));
  const isPlain = PLAIN.test(name) && !(name in Object.prototype);
  const spare = `column ${place + 1}`;
  return {
    name: shownName(name),
    field: isPlain ? name : names.includes(spare) ? `${spare} of ${names.length}` : spare,
    type: typeOf(values),
    values,
    broken: given.flatMap((value, row) => isBroken(value) ? [row] : []),
  };
}

// Vega writes titles into expressions, which know no line break, and refuse the names that every object has.
function shownName(name: string): string {
  const text = name.replaceAll(/\s+/g, " ");
  return text in Object.prototype ? `"${text}"` : text;
}

/** Significant digits that distinguish the values of a column: six of its range, and more if its values are large relative to the range. */
function rounding(given: readonly unknown[]): (value: number) => Value {
  let [low, high] = [Infinity, -Infinity];
  for (const value of given) {
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  const more = high > low ? Math.ceil(Math.log10(size / (high - low))) : 0;
  const digits = Math.max(6, Math.min(15, 6 + more));
  return (value) =>
    !Number.isFinite(value)
      ? null
      : Number.isInteger(value)
      ? value
      : Number(value.toPrecision(digits));
}

function typeOf(values: readonly Value[]): FieldType {
  let [known, isNumber, isDate] = [false, true, true];
  for (const value of values) {
    if (value === null) continue;
    known = true;
    isNumber &&= typeof value === "number";
    isDate &&= typeof value === "string" && DATE.test(value);
    if (!isNumber && !isDate) return "nominal";
  }
  return !known ? "nominal" : isNumber ? "quantitative" : "temporal";
}

/**
 * Columns of a plot by role; several columns of y become one, with a series for each.
 *
 * @throws {TypeError} If it is not a frame, or a column is missing
 */
export function readColumns(
  action: string,
  frame: DataFrame | RowTable,
  { x, y, color, size, facet }: PlotOptions,
): PlotColumns {
  const ys = y === undefined ? [] : [y].flat();
  const names = [x, ...ys, color, size, facet].filter((name) => name !== undefined);
  const read = readTable(action, frame, [...new Set(names)]);
  const of = (name: string | undefined) => name === undefined ? null : read.get(name)!;
  const columns = { x: of(x)!, size: of(size), facet: of(facet) };
  if (typeof y === "string" || y === undefined) return { ...columns, y: of(y), color: of(color) };
  return unpivot(columns, ys.map((name) => of(name)!));
}

function unpivot(
  { x, size, facet }: Omit<PlotColumns, "y" | "color">,
  ys: readonly PlotColumn[],
): PlotColumns {
  const { length } = x.values;
  const below = (rows: readonly number[], i: number) => rows.map((row) => row + i * length);
  const again = <Column extends PlotColumn | null>(column: Column): Column =>
    column === null ? column : {
      ...column,
      values: ys.flatMap(() => column.values),
      broken: ys.flatMap((_, i) => below(column.broken, i)),
    };
  const values = ys.flatMap((column) => column.values);
  const names = ys.flatMap(({ name, values }) => values.map((): Value => name));
  const broken = ys.flatMap((column, i) => below(column.broken, i));
  return {
    x: again(x),
    size: again(size),
    facet: again(facet),
    y: { name: "value", field: "value", type: typeOf(values), values, broken },
    color: { name: "column", field: "column", type: "nominal", values: names, broken: [] },
  };
}
