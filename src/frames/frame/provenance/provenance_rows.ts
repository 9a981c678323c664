import pl, { type DataFrame } from "nodejs-polars";
import { toDate } from "../times/to_date.ts";
import type { ProvenanceColumn } from "./provenance_schema.ts";
import type { ProvenanceColumnsOptions, ProvenanceValues } from "./provenance_columns.ts";

/**
 * Frame with one row of provenance columns per origin, for a join.
 *
 * For a score set of some thousand rows a cross join takes half the time of literal columns, each of which costs three native
 * calls; for a release of millions of rows literal columns are faster.
 */
export function provenanceRows(
  columns: readonly ProvenanceColumn[],
  origins: readonly ProvenanceValues[],
  options: ProvenanceColumnsOptions = {},
): DataFrame {
  return pl.DataFrame(columns.map(({ name, type }) => {
    const values = origins.map((origin) => origin[name] ?? null);
    if (type === "text") {
      const text = pl.Series(name, values, pl.Utf8);
      return options.categorical === true ? text.cast(pl.Categorical) : text;
    }
    return pl.Series(
      name,
      values.map(toDate),
      type === "date" ? pl.Date : pl.Datetime("ms", "UTC"),
    );
  }));
}
