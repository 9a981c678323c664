import pl, { type DataFrame } from "nodejs-polars";
import type { ProvenanceColumn } from "./column.ts";
import type { ProvenanceColumnsOptions, ProvenanceValues } from "./provenance_columns.ts";

/**
 * One row that says where the rows of a frame come from, for a cross join.
 *
 * For a score set of some thousand rows this takes half the time of literal columns, of which each costs three calls
 * into the native library; for a release of millions of rows it is the other way round.
 */
export function provenanceRow(
  columns: readonly ProvenanceColumn[],
  values: ProvenanceValues,
  options: ProvenanceColumnsOptions = {},
): DataFrame {
  return pl.DataFrame(columns.map(({ name, type }) => {
    const value = values[name] ?? null;
    if (type === "text") {
      const text = pl.Series(name, [value], pl.Utf8);
      return options.categorical === true ? text.cast(pl.Categorical) : text;
    }
    const instant = value === null ? null : new Date(value);
    return pl.Series(name, [instant], type === "date" ? pl.Date : pl.Datetime("ms", "UTC"));
  }));
}
