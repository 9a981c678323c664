import { FACTORS } from "../../contract/factor.ts";
import { PROVENANCE_NAMES } from "../../contract/provenance_name.ts";
import { alignDecimals, type CellStyle, cellStyle, cellText, shortDtype, toLine } from "./_cell.ts";
import { columnNames, type FrameLike, type SeriesLike } from "./frame_like.ts";

/** One column as it is shown. */
export interface ColumnView {
  /** Name of the column. */
  readonly name: string;
  /** Short data type. */
  readonly dtype: string;
  /** How its values are written. */
  readonly style: CellStyle;
  /** Texts of the first and last rows; `null` is a missing value. */
  readonly cells: readonly (string | null)[];
}

/** Everything that is shown of a frame, before it becomes HTML or text. */
export interface FrameView {
  /** Number of rows of the frame. */
  readonly height: number;
  /** Number of columns of the frame. */
  readonly width: number;
  /** Columns that are shown. */
  readonly columns: readonly ColumnView[];
  /** How many columns in the middle are not shown, and before which shown column they stand. */
  readonly hidden: { readonly count: number; readonly before: number };
  /** Number of rows shown above the gap; equal to the rows shown if there is none. */
  readonly headRows: number;
  /** Rows that are not shown. */
  readonly omittedRows: number;
  /** Provenance columns with one value in all rows, in the order of the frame. */
  readonly constants: ReadonlyMap<string, string | null>;
  /** Whether rows are synthetic: all, some or none. */
  readonly synthetic: "all" | "some" | "none";
}

/** How much of a frame is shown. */
export interface FrameViewOptions {
  /** Rows shown at each end. */
  readonly edgeRows: number;
  /** Columns shown at most. */
  readonly maxColumns: number;
  /** Characters shown of a text at most. */
  readonly maxTextLength: number;
}

// A wide panel has the source of each factor, and a join adds a suffix to the columns that both frames have.
const SOURCE = new RegExp(`^((${FACTORS.join("|")})_)?source(_.*)?$`);
// Shown once, in the caption, where they are the same in all rows.
const PROVENANCE: ReadonlySet<string> = new Set(PROVENANCE_NAMES);

/** Reads from a frame what is to be shown of it. */
export function readFrameView(frame: FrameLike, options: FrameViewOptions): FrameView {
  const names = columnNames(frame);
  const series = new Map(names.map((name) => [name, frame.getColumn(name)] as const));
  const height = names[0] === undefined ? 0 : series.get(names[0])!.length;
  const constants = readConstants(series, height);
  const varying = names.filter((name) => !constants.has(name));
  const shown = shownColumns(varying, options.maxColumns);
  const headRows = height > 2 * options.edgeRows ? options.edgeRows : height;
  const tailRows = height - headRows > 0 ? options.edgeRows : 0;
  return {
    height,
    width: names.length,
    columns: shown.names.map((name) =>
      columnView(name, series.get(name)!, { headRows, tailRows, ...options })
    ),
    hidden: { count: varying.length - shown.names.length, before: shown.before },
    headRows,
    omittedRows: height - headRows - tailRows,
    constants,
    synthetic: readSynthetic(series, constants),
  };
}

function shownColumns(names: readonly string[], max: number): { names: string[]; before: number } {
  if (names.length <= max) return { names: [...names], before: -1 };
  const before = Math.ceil(max / 2);
  const after = names.length - (max - before);
  return { names: [...names.slice(0, before), ...names.slice(after)], before };
}

interface ShownRows extends FrameViewOptions {
  readonly headRows: number;
  readonly tailRows: number;
}

function columnView(name: string, series: SeriesLike, rows: ShownRows): ColumnView {
  const { headRows: head, tailRows: tail, maxTextLength } = rows;
  const values = [
    ...series.slice(0, head).toArray(),
    ...(tail === 0 ? [] : series.slice(series.length - tail, tail).toArray()),
  ];
  const style = alignDecimals(cellStyle(name, series.dtype), values);
  return {
    name: toLine(name),
    dtype: shortDtype(series.dtype),
    style,
    cells: values.map((value) => cellText(value, style, maxTextLength)),
  };
}

function readConstants(
  series: ReadonlyMap<string, SeriesLike>,
  height: number,
): Map<string, string | null> {
  const constants = new Map<string, string | null>();
  // A frame without tickers, a list of origins for instance, is about the provenance itself.
  if (height === 0 || !series.has("ticker")) return constants;
  for (const [name, values] of series) {
    if (!PROVENANCE.has(name) || !isConstant(values)) continue;
    constants.set(name, fullText(values.slice(0, 1).toArray()[0], cellStyle(name, values.dtype)));
  }
  return constants;
}

/** Distinct values of 7.5 million rows cost up to 30 ms a column; differing ends save it. */
function isConstant(series: SeriesLike): boolean {
  const [first] = series.slice(0, 1).toArray();
  const [last] = series.slice(series.length - 1, 1).toArray();
  return String(first) === String(last) && series.unique().length === 1;
}

function fullText(value: unknown, style: CellStyle): string | null {
  return cellText(value, style, Infinity);
}

function readSynthetic(
  series: ReadonlyMap<string, SeriesLike>,
  constants: ReadonlyMap<string, string | null>,
): FrameView["synthetic"] {
  const found = [...series].filter(([name]) => SOURCE.test(name))
    .map(([name, values]) => {
      const constant = constants.get(name);
      return constant === undefined ? values.unique().toArray() : [constant];
    })
    // A column of nulls says nothing of the rows, which have no numbers of that factor.
    .filter((sources) => sources.some((source) => source !== null));
  if (!found.some((sources) => sources.some(isSynthetic))) return "none";
  return found.every((sources) => sources.every(isSynthetic)) ? "all" : "some";
}

function isSynthetic(source: unknown): boolean {
  return typeof source === "string" && source.includes("synthetic");
}
