import { saysSynthetic } from "../../frame/provenance/origin.ts";
import { FACTORS } from "../../../base/contract/factor.ts";
import { HELD_OUT_MARK, SYNTHETIC_MARK } from "../../../base/contract/frame_marks.ts";
import { type HeldOutFacts, heldOutText } from "../../../base/wording/sentences/held_out_text.ts";
import { type Cell, cellOf, type CellStyle, cellStyle, shortDtype, toLine } from "./_cell.ts";
import { columnNames, type FrameLike, type SeriesLike } from "./frame_like.ts";
import { PROVENANCE_NAMES } from "../../frame/provenance/provenance_schema.ts";

/** Displayed column. */
export interface ColumnView {
  /** Name of the column. */
  readonly name: string;
  /** Short data type. */
  readonly dtype: string;
  /** Format of its values. */
  readonly style: CellStyle;
  /** The first and last rows. */
  readonly cells: readonly Cell[];
}

/** Content of a frame's display, independent of HTML or text. */
export interface FrameView {
  /** Number of rows of the frame. */
  readonly height: number;
  /** Number of columns of the frame. */
  readonly width: number;
  /** Shown columns. */
  readonly columns: readonly ColumnView[];
  /** Number of hidden columns, and their position among the shown ones; -1 if all are shown. */
  readonly hidden: { readonly count: number; readonly before: number };
  /** Number of rows above the gap; all shown rows if there is none. */
  readonly headRows: number;
  /** Number of rows that are not shown. */
  readonly omittedRows: number;
  /** Provenance columns with one value in all rows, in the order of the frame. */
  readonly constants: ReadonlyMap<string, Cell>;
  /** Extent of synthetic rows: all, some or none. */
  readonly synthetic: "all" | "some" | "none";
  /** Description of the study's hold-out; `null` if there is none. */
  readonly heldOut: string | null;
  /** Rows for sorting, searching and paging, as JSON for a script element; `null` without any. */
  readonly held: string | null;
}

/** Limits of a shown frame. */
export interface FrameViewOptions {
  /** Rows shown at each end. */
  readonly edgeRows: number;
  /** Largest number of shown columns. */
  readonly maxColumns: number;
  /** Longest text in characters; ids are shorter unless it is given. */
  readonly maxTextLength: number | undefined;
  /** Rows held for sorting, searching and paging; `undefined` holds as many as fit. */
  readonly heldRows: number | undefined;
  /** Largest size of these rows, in characters. */
  readonly heldLength: number;
}

// A wide panel has columns for each factor, and a join adds a suffix to common columns.
const SOURCE = new RegExp(`^((${FACTORS.join("|")})_)?source(_.*)?$`);
const PROVENANCE = new RegExp(
  `^(?:(?:${FACTORS.join("|")})_)?(${PROVENANCE_NAMES.join("|")})(?:_right)?$`,
);

const TEXT_LENGTH = 40;
// In a list of sets or releases, ids are what users look for and copy.
const IDS = ["snapshot_id", "download_sha256"];
const ID_LENGTH = 9;

// A table of ten rows needs no sorting. A slow machine sorts and searches 5,000 rows without delay.
const SMALL = 10;
const MAX_ROWS = 5_000;
const MARGIN = 0.9;
const MAX_FULL = 500;

/** Marks of the native object of a frame, and of those derived from it. */
function marksOf(frame: FrameLike) {
  type Marks = { readonly [HELD_OUT_MARK]?: HeldOutFacts; readonly [SYNTHETIC_MARK]?: true };
  return (frame as { readonly _df?: Marks })._df ?? {};
}

/** Collects the content of a frame's display. */
export function readFrameView(frame: FrameLike, options: FrameViewOptions): FrameView {
  const names = columnNames(frame);
  const series = new Map(names.map((name) => [name, frame.getColumn(name)] as const));
  const height = names[0] === undefined ? 0 : series.get(names[0])!.length;
  const hasTickers = series.has("ticker");
  // In a list of sets or origins, provenance is the content, and is hidden only if there is no room for it.
  const isFolded = height > 0 && hasTickers || height > 1 && names.length > options.maxColumns;
  const constants = isFolded ? readConstants(series) : new Map<string, Cell>();
  const varying = names.filter((name) => !constants.has(name));
  const shown = chooseColumns(varying, hasTickers, options.maxColumns);
  const headRows = height > 2 * options.edgeRows ? options.edgeRows : height;
  const tailRows = height - headRows > 0 ? options.edgeRows : 0;
  const isId = (name: string) => hasTickers && IDS.includes(baseProvenanceName(name) ?? "");
  const maxLength = (name: string) =>
    options.maxTextLength ?? (isId(name) ? ID_LENGTH : TEXT_LENGTH);
  const { [HELD_OUT_MARK]: heldOut, [SYNTHETIC_MARK]: isMarked = false } = marksOf(frame);
  return {
    height,
    width: names.length,
    columns: shown.names.map((name) => {
      const values = endsOf(series.get(name)!, headRows, tailRows);
      const { dtype } = series.get(name)!;
      const style = cellStyle({ name, dtype, values, maxLength: maxLength(name) });
      const cells = values.map((value) => cellOf(value, style));
      return { name: toLine(name), dtype: shortDtype(dtype), style, cells };
    }),
    hidden: { count: varying.length - shown.names.length, before: shown.before },
    headRows,
    omittedRows: height - headRows - tailRows,
    constants,
    synthetic: readSynthetic(series, constants, isMarked),
    heldOut: heldOut === undefined ? null : heldOutText(heldOut),
    held: heldJson({
      height,
      edge: headRows,
      gap: shown.before,
      columns: new Map(shown.names.map((name) => [name, [series.get(name)!, maxLength(name)]])),
    }, options),
  };
}

/** Puts measurements before provenance, which is hidden first if there is not enough room. */
function chooseColumns(names: readonly string[], hasTickers: boolean, max: number) {
  const isOrigin = (name: string) => hasTickers && baseProvenanceName(name) !== null;
  const data = names.filter((name) => !isOrigin(name));
  const all = [...data, ...names.filter(isOrigin)];
  if (all.length <= max) return { names: all, before: -1 };
  if (data.length <= max) return { names: all.slice(0, max), before: max };
  const before = Math.ceil(max / 2);
  const after = data.length - (max - before);
  return { names: [...data.slice(0, before), ...data.slice(after)], before };
}

/**
 * Base name of a provenance column: `snapshot_id` for `ecpnd_snapshot_id` and `snapshot_id_right`; `null` for other columns.
 */
export function baseProvenanceName(name: string): string | null {
  return PROVENANCE.exec(name)?.[1] ?? null;
}

/** The first and the last values of a column. */
function endsOf(series: SeriesLike, head: number, tail: number): readonly unknown[] {
  const last = tail === 0 ? [] : series.slice(series.length - tail, tail).toArray();
  return [...series.slice(0, head).toArray(), ...last];
}

function readConstants(series: ReadonlyMap<string, SeriesLike>): Map<string, Cell> {
  const constants = new Map<string, Cell>();
  for (const [name, column] of series) {
    if (baseProvenanceName(name) === null || !isConstant(column)) continue;
    const values = column.slice(0, 1).toArray();
    const style = cellStyle({ name, dtype: column.dtype, values, maxLength: Infinity });
    constants.set(name, cellOf(values[0], style));
  }
  return constants;
}

/** Compares both ends first: distinct values of 7.5 million rows take up to 30 ms per column. */
function isConstant(series: SeriesLike): boolean {
  const [first] = series.slice(0, 1).toArray();
  const [last] = series.slice(series.length - 1, 1).toArray();
  return String(first) === String(last) && series.unique().length === 1;
}

function readSynthetic(
  series: ReadonlyMap<string, SeriesLike>,
  constants: ReadonlyMap<string, Cell>,
  marked: boolean,
): FrameView["synthetic"] {
  const found = [...series].filter(([name]) => SOURCE.test(name))
    .map(([name, values]) => {
      const constant = constants.get(name);
      return constant === undefined ? values.unique().toArray() : [constant.text];
    })
    // A column of nulls does not count: the rows have no numbers of that factor.
    .filter((sources) => sources.some((source) => source !== null));
  if (found.length === 0) return marked ? "all" : "none";
  // Real rows joined with synthetic ones may have numbers of both.
  if (!found.some((sources) => sources.some(saysSynthetic))) return marked ? "some" : "none";
  return found.every((sources) => sources.every(saysSynthetic)) ? "all" : "some";
}

/** Columns of which rows are held, so that a table can be sorted, searched and paged without a kernel. */
interface HeldPart {
  /** Shown columns by name, with the longest text of each in characters. */
  readonly columns: ReadonlyMap<string, readonly [series: SeriesLike, maxLength: number]>;
  /** Position of the gap between them, or -1. */
  readonly gap: number;
  /** Rows of the frame. */
  readonly height: number;
  /** Rows initially shown at each end of the table. */
  readonly edge: number;
}

/** A value, or a text in its shown and full forms; numbers that JSON cannot represent are texts. */
type HeldValue = null | number | string | readonly [string, string];

/** Rows to hold, as JSON for a script element; `null` if the table is small or no rows fit. */
function heldJson(
  part: HeldPart,
  { heldRows: rows, heldLength }: Pick<FrameViewOptions, "heldRows" | "heldLength">,
): string | null {
  const { height, columns } = part;
  if (height <= SMALL || columns.size === 0 || rows === 0) return null;
  const limit = rows === undefined ? heldLength : Infinity;
  let count = Math.min(height, rows ?? MAX_ROWS);
  for (;;) {
    // JSON that cannot end the script element around it.
    const json = JSON.stringify(holdRows(part, count)).replaceAll("<", "\\u003c");
    if (json.length <= limit) return json;
    count = Math.floor(count * MARGIN * limit / json.length);
    if (count <= SMALL) return null;
  }
}

/** So many rows, of which `head` are the first ones of the frame and the others its last ones. */
function holdRows({ height, edge, gap, columns }: HeldPart, held: number) {
  const head = held === height ? held : Math.ceil(held / 2);
  const taken = [...columns].map(([name, [series, maxLength]]) =>
    holdColumn(endsOf(series, head, held - head), { name, dtype: series.dtype, maxLength })
  );
  return { height, held, head, edge, gap, columns: taken };
}

/** Values of a column, and their positions by row where they repeat. */
function holdColumn(
  values: readonly unknown[],
  column: { readonly name: string; readonly dtype: unknown; readonly maxLength: number },
) {
  const cell = cellStyle({ ...column, values });
  const style = { align: cell.align, number: cell.number };
  const isNumber = cell.align === "right" &&
    values.every((value) => ["number", "bigint"].includes(typeof (value ?? 0)));
  if (isNumber) return { isNumber, style, values: values.map(heldNumber) };
  const texts = values.map((value): HeldValue => {
    const { text, full } = cellOf(value, cell);
    return full === undefined || text === null ? text : [text, full.slice(0, MAX_FULL)];
  });
  const distinct = new Map(texts.map((text) => [JSON.stringify(text), text]));
  if (distinct.size > texts.length / 2) return { isNumber, style, values: texts };
  const places = new Map([...distinct.keys()].map((key, at) => [key, at]));
  const at = texts.map((text) => places.get(JSON.stringify(text))!);
  return { isNumber, style, values: [...distinct.values()], at };
}

function heldNumber(value: unknown): HeldValue {
  if (value === null || value === undefined) return null;
  return Number.isFinite(value) ? value as number : String(value);
}
