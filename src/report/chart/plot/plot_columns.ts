import type { DataFrame } from "nodejs-polars";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { toValue, type Value } from "../grammar/values.ts";
import type { PlotOptions } from "./plot_options.ts";

/** A table that gives its rows as objects, such as one of Arquero. */
export interface RowTable {
  /** Names of the columns. */
  columnNames(): string[];
  /** The rows. */
  objects(): object[];
}

/** Column of a frame, as drawn. */
export interface PlotColumn {
  /** Its name, for the reader. */
  readonly name: string;
  /** Its name in the specification, without characters that Vega reads as paths or quotes. */
  readonly field: string;
  readonly type: "temporal" | "quantitative" | "nominal";
  readonly values: readonly Value[];
  /** Rows whose value is infinite or NaN; it counts as null. */
  readonly broken: readonly number[];
}

/** Columns of a plot by role; `y` is `null` for a histogram and a count. */
export type PlotColumns =
  & { readonly x: PlotColumn }
  & Readonly<Record<"y" | "color" | "size" | "facet", PlotColumn | null>>;

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
const PLAIN = /^[A-Za-z_][\w ]*$/;

/**
 * Reads the columns of a plot into the form that pictures embed; several columns of y become one, with a series for each.
 *
 * @throws {TypeError} If it is not a frame, or a column is missing
 */
export function readColumns(
  action: string,
  frame: DataFrame | RowTable,
  { x, y, color, size, facet }: PlotOptions,
): PlotColumns {
  const names = [...new Set([x, y ?? [], color, size, facet].flat())]
    .filter((name) => name !== undefined);
  const given = readTable(action, frame, names);
  const read = new Map(names.map((name, i) => {
    const spare = `column ${i + 1}`;
    const field = names.includes(spare) ? `${spare} of ${names.length}` : spare;
    return [name, columnOf(name, given(name), field)];
  }));
  const of = (name: string | undefined) => name === undefined ? null : read.get(name)!;
  const columns = { x: of(x)!, color: of(color), size: of(size), facet: of(facet) };
  return typeof y === "string" || y === undefined
    ? { ...columns, y: of(y) }
    : unpivot(columns, y.map((name) => of(name)!));
}

/** Reads the values of a column of a frame or table that has all of some names. */
function readTable(
  action: string,
  frame: DataFrame | RowTable,
  names: readonly string[],
): (name: string) => readonly unknown[] {
  const isTable = typeof (frame as Partial<RowTable> | null)?.columnNames === "function";
  if (!isTable) assertFrame(action, frame);
  const columns = isTable ? (frame as RowTable).columnNames() : (frame as DataFrame).columns;
  for (const name of names) assertThere(action, name, columns);
  if (!isTable) return (name) => (frame as DataFrame).getColumn(name).toArray() as unknown[];
  const objects = (frame as RowTable).objects() as Record<string, unknown>[];
  return (name) => objects.map((row) => row[name]);
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

/** @param spare Its name in the specification, if its own has characters that Vega would read as a path or quote */
function columnOf(name: string, given: readonly unknown[], spare: string): PlotColumn {
  const exact = rounding(given);
  const values = given.map((value) => typeof value === "number" ? exact(value) : toValue(value));
  // Vega writes titles into expressions, which know no line break, and refuse the names that every object has.
  const shown = name.replaceAll(/\s+/g, " ");
  return {
    name: shown in Object.prototype ? `"${shown}"` : shown,
    field: PLAIN.test(name) && !(name in Object.prototype) ? name : spare,
    type: typeOf(values),
    values,
    broken: given.flatMap((value, row) =>
      typeof value === "number" && !Number.isFinite(value) ? [row] : []
    ),
  };
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
  return (value) => {
    if (!Number.isFinite(value)) return null;
    return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  };
}

function typeOf(values: readonly Value[]): PlotColumn["type"] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return "nominal";
  if (known.every((value) => typeof value === "number")) return "quantitative";
  const isDate = (value: Value) => typeof value === "string" && DATE.test(value);
  return known.every(isDate) ? "temporal" : "nominal";
}

function unpivot(
  { x, size, facet }: Omit<PlotColumns, "y">,
  ys: readonly PlotColumn[],
): PlotColumns {
  const below = (columns: readonly PlotColumn[]) => ({
    values: columns.flatMap(({ values }) => values),
    broken: columns.flatMap(({ broken }, i) => broken.map((row) => row + i * x.values.length)),
  });
  const again = <Column extends PlotColumn | null>(column: Column): Column =>
    column && { ...column, ...below(ys.map(() => column)) };
  const y = below(ys);
  const names = ys.flatMap(({ name, values }) => values.map(() => name));
  return {
    ...{ x: again(x), size: again(size), facet: again(facet) },
    y: { name: "value", field: "value", type: typeOf(y.values), ...y },
    color: { name: "column", field: "column", type: "nominal", values: names, broken: [] },
  };
}
