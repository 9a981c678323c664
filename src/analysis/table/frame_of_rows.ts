import pl, { type DataFrame, type Series } from "nodejs-polars";
import type { ColumnKind } from "../../frames/frame/typed/columns.ts";
import { kindsOf, type TableOf } from "./columns.ts";
import { DISPLAY, display } from "../../frames/notebook/display.ts";
import { displayAs, type DisplayMethods } from "../../frames/notebook/display_as.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";
import { formatFrame, frameBundle } from "../../frames/notebook/frame/frame_bundle.ts";
import { withOneScript } from "../../frames/notebook/frame/table_script.ts";

/** A value of a row; a date is days since 1970-01-01. */
type Cell = number | string | null;

/** A frame of a few rows, each with the values of the table's columns in their order. */
export function tableOfRows<const Names extends string>(
  rows: readonly (readonly Cell[])[],
  names: Names,
): TableOf<Names> {
  const kinds = Object.entries<ColumnKind>(kindsOf(names));
  if (rows.some((row) => row.length !== kinds.length)) throw new Error(`Not a row of ${names}`);
  return pl.DataFrame(
    kinds.map(([name, kind], i) => toSeries(name, kind, rows.map((row) => row[i]!))),
  ) as unknown as TableOf<Names>;
}

function toSeries(name: string, kind: ColumnKind, values: readonly Cell[]): Series {
  if (kind === "text") return pl.Series(name, [...values], pl.Utf8);
  const numbers = pl.Series(name, [...values], pl.Float64);
  if (kind === "number") return numbers;
  // A null in an Int32 series would silently become 0; the cast keeps it null.
  const counts = numbers.cast(pl.Int32);
  return kind === "date" ? counts.cast(pl.Date) : counts;
}

/** Readers of a table of so many sessions with a row for each line (horizon, quantile) in each: of whole numbers, and of numbers, where NaN is null. */
export function rowsByLine<Line>(sessions: number, lines: readonly Line[]) {
  type Of = (line: Line, session: number) => number;
  const width = lines.length;
  const read = <Column extends Int32Array | Float64Array>(column: Column, of: Of): Column => {
    for (let row = 0; row < column.length; row++) {
      column[row] = of(lines[row % width]!, Math.floor(row / width));
    }
    return column;
  };
  return {
    counts: (of: Of) => read(new Int32Array(sessions * width), of),
    numbers: (of: Of) => read(new Float64Array(sessions * width), of),
  };
}

const SHOWN = { edgeRows: 8, maxColumns: 18 };

/**
 * The display of a result that is made of frames, to be spread into it: sentences first, then each frame with its name.
 *
 * @param text Gives the sentences, one a line
 * @param frames Gives the frames to show, with their names
 * @param options How a notebook shows the sentences
 */
export function displayParts(
  text: () => string,
  frames: () => Readonly<Record<string, DataFrame>>,
  { html = () => paragraphsHtml(text()) }: { html?: () => string } = {},
): DisplayMethods {
  const toText = () =>
    [
      text(),
      ...Object.entries(frames()).map(([name, frame]) => `${name}\n${formatFrame(frame, SHOWN)}`),
    ].join("\n\n");
  return {
    toString: toText,
    [DISPLAY]: () => {
      const named = Object.entries(frames());
      const options = { ...SHOWN, tables: named.length };
      const tables = named.map(([name, frame]) =>
        `<p><b>${escapeHtml(name)}</b></p>${String(frameBundle(frame, options)["text/html"])}`
      );
      return display({
        "text/html": withOneScript([html(), ...tables].join("\n")),
        "text/plain": toText(),
      });
    },
    [Symbol.for("Deno.customInspect")]: toText,
  } as DisplayMethods;
}

/** A paragraph of HTML for each line. */
function paragraphsHtml(text: string): string {
  return text.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
}

/** A result in words, with its tables. */
export class StatedResult<
  Table extends DataFrame,
  More extends Readonly<Record<string, DataFrame | null>> = Readonly<Record<never, DataFrame>>,
> {
  static {
    displayAs(StatedResult, ({ text, table, tables }) =>
      displayParts(() => text, () => {
        const all = Object.entries({ table, ...tables }).filter(([, frame]) => frame !== null);
        return Object.fromEntries(all) as Readonly<Record<string, DataFrame>>;
      }));
  }

  /** The result in sentences. */
  readonly text: string;
  /**
   * The sentences one by one.
   *
   * @ignore
   */
  readonly sentences: readonly string[];
  /** Its main table. */
  readonly table: Table;
  /** Further tables by name. */
  readonly tables: More;

  /**
   * Puts a result together.
   *
   * @param sentences The result in sentences
   * @param table Its main table
   * @param tables Further tables by name
   * @ignore
   */
  constructor(sentences: string | readonly string[], table: Table, tables: More) {
    this.sentences = [sentences].flat();
    this.text = this.sentences.join("\n");
    this.table = table;
    this.tables = tables;
  }
}
