import { FACTORS } from "../../contract/factor.ts";
import { HELD_OUT_MARK } from "../../contract/held_out_mark.ts";
import { type HeldOutFacts, heldOutText } from "../../wording/sentences/held_out_text.ts";
import { SYNTHETIC_MARK } from "../../contract/synthetic_mark.ts";
import { type Cell, cellOf, type CellStyle, cellStyle, shortDtype, toLine } from "./_cell.ts";
import { heldJson } from "./_held_rows.ts";
import { baseProvenanceName } from "./_provenance_base.ts";
import { columnNames, type FrameLike, type SeriesLike } from "./frame_like.ts";

/** One column as it is shown. */
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

/** Everything that is shown of a frame, before it becomes HTML or text. */
export interface FrameView {
  /** Number of rows of the frame. */
  readonly height: number;
  /** Number of columns of the frame. */
  readonly width: number;
  /** Columns that are shown. */
  readonly columns: readonly ColumnView[];
  /** Number of hidden columns, and the shown column before which they would stand; -1 if all are shown. */
  readonly hidden: { readonly count: number; readonly before: number };
  /** Number of rows shown above the gap; equal to the rows shown if there is none. */
  readonly headRows: number;
  /** Rows that are not shown. */
  readonly omittedRows: number;
  /** Provenance columns with one value in all rows, in the order of the frame. */
  readonly constants: ReadonlyMap<string, Cell>;
  /** Extent of synthetic rows: all, some or none. */
  readonly synthetic: "all" | "some" | "none";
  /** Sessions that the study of the rows holds out, in words; `null` if there are none. */
  readonly heldOut: string | null;
  /** Rows that a page sorts, searches and pages, as JSON for a script element; `null` if it holds none. */
  readonly held: string | null;
}

/** Extent of a frame that is shown. */
export interface FrameViewOptions {
  /** Rows shown at each end. */
  readonly edgeRows: number;
  /** Columns shown at most. */
  readonly maxColumns: number;
  /** Characters shown of a text at most; ids are shortened more unless it is given. */
  readonly maxTextLength: number | undefined;
  /** Rows held for sorting, searching and paging; `undefined` holds as many as fit. */
  readonly heldRows: number | undefined;
  /** Characters that they may take. */
  readonly heldLength: number;
}

// A wide panel has the source of each factor, and a join adds a suffix to the columns that both frames have.
const SOURCE = new RegExp(`^((${FACTORS.join("|")})_)?source(_.*)?$`);

const TEXT_LENGTH = 40;
// In a frame that lists sets or releases the ids are what one looks for, and copies.
const IDS = ["snapshot_id", "download_sha256"];
const ID_LENGTH = 9;

/** Reads from a frame what is to be shown of it. */
export function readFrameView(frame: FrameLike, options: FrameViewOptions): FrameView {
  const names = columnNames(frame);
  const series = new Map(names.map((name) => [name, frame.getColumn(name)] as const));
  const height = names[0] === undefined ? 0 : series.get(names[0])!.length;
  const hasTickers = series.has("ticker");
  // A list of sets or origins is about the provenance itself: it is folded only where there is no room for it.
  const isFolded = height > 0 && hasTickers || height > 1 && names.length > options.maxColumns;
  const constants = isFolded ? readConstants(series) : new Map<string, Cell>();
  const varying = names.filter((name) => !constants.has(name));
  const shown = chooseColumns(varying, hasTickers, options.maxColumns);
  const headRows = height > 2 * options.edgeRows ? options.edgeRows : height;
  const tailRows = height - headRows > 0 ? options.edgeRows : 0;
  const maxLength = (name: string) =>
    options.maxTextLength ?? (hasTickers && isId(name) ? ID_LENGTH : TEXT_LENGTH);
  return {
    height,
    width: names.length,
    columns: shown.names.map((name) =>
      columnView(name, series.get(name)!, { headRows, tailRows, maxLength: maxLength(name) })
    ),
    hidden: { count: varying.length - shown.names.length, before: shown.before },
    headRows,
    omittedRows: height - headRows - tailRows,
    constants,
    synthetic: readSynthetic(series, constants, isMarked(frame)),
    heldOut: readHeldOut(frame),
    held: heldJson({
      columns: new Map(shown.names.map((name) => [name, series.get(name)!])),
      gap: shown.before,
      height,
      edge: headRows,
      maxLength,
      rows: options.heldRows,
      budget: options.heldLength,
    }),
  };
}

/** Measurements stand before the provenance of rows, which is left out first where there is not enough room. */
function chooseColumns(
  names: readonly string[],
  hasTickers: boolean,
  max: number,
): { readonly names: readonly string[]; readonly before: number } {
  const isOrigin = (name: string) => hasTickers && baseProvenanceName(name) !== null;
  const data = names.filter((name) => !isOrigin(name));
  const all = [...data, ...names.filter(isOrigin)];
  if (all.length <= max) return { names: all, before: -1 };
  if (data.length <= max) return { names: all.slice(0, max), before: max };
  const before = Math.ceil(max / 2);
  const after = data.length - (max - before);
  return { names: [...data.slice(0, before), ...data.slice(after)], before };
}

function isId(name: string): boolean {
  return IDS.includes(baseProvenanceName(name) ?? "");
}

interface ShownPart {
  readonly maxLength: number;
  readonly headRows: number;
  readonly tailRows: number;
}

function columnView(name: string, series: SeriesLike, part: ShownPart): ColumnView {
  const { headRows: head, tailRows: tail, maxLength } = part;
  const values = [
    ...series.slice(0, head).toArray(),
    ...(tail === 0 ? [] : series.slice(series.length - tail, tail).toArray()),
  ];
  const { dtype } = series;
  const style = cellStyle({ name, dtype, values, maxLength });
  return {
    name: toLine(name),
    dtype: shortDtype(dtype),
    style,
    cells: values.map((value) => cellOf(value, style)),
  };
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

/** Distinct values of 7.5 million rows cost up to 30 ms a column; differing ends save it. */
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
    // A column of nulls says nothing of the rows, which have no numbers of that factor.
    .filter((sources) => sources.some((source) => source !== null));
  if (found.length === 0) return marked ? "all" : "none";
  // Real rows that were joined with synthetic ones may hold numbers of both.
  if (!found.some((sources) => sources.some(isSynthetic))) return marked ? "some" : "none";
  return found.every((sources) => sources.every(isSynthetic)) ? "all" : "some";
}

function isSynthetic(source: unknown): boolean {
  return typeof source === "string" && source.includes("synthetic");
}

/** Words on the hold-out of the study that the frame comes from. */
function readHeldOut(frame: FrameLike): string | null {
  const { _df } = frame as { readonly _df?: { readonly [HELD_OUT_MARK]?: HeldOutFacts } };
  const heldOut = _df?.[HELD_OUT_MARK];
  return heldOut === undefined ? null : heldOutText(heldOut).replace(/\.$/, "");
}

/** True if the frame was derived from one with synthetic numbers, whatever columns are left. */
function isMarked(frame: FrameLike): boolean {
  const { _df } = frame as { readonly _df?: { readonly [SYNTHETIC_MARK]?: true } };
  return _df?.[SYNTHETIC_MARK] === true;
}
