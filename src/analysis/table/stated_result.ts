import type { DataFrame } from "nodejs-polars";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { displayParts } from "./display_parts.ts";

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
  /** Its main table. */
  readonly table: Table;
  /** Further tables by name. */
  readonly tables: More;

  /**
   * Puts a result together.
   *
   * @param text The result in sentences
   * @param table Its main table
   * @param tables Further tables by name
   * @ignore
   */
  constructor(text: string, table: Table, tables: More) {
    this.text = text;
    this.table = table;
    this.tables = tables;
  }
}
