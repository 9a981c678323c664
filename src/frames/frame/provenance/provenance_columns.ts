import pl, { type Expr } from "nodejs-polars";
import { toDate } from "../times/to_date.ts";
import type { ProvenanceName } from "../../../base/contract/provenance_name.ts";
import type { ProvenanceColumn } from "./provenance_schema.ts";

/** Values of provenance columns as text; `null` if unknown. */
export type ProvenanceValues = Readonly<Partial<Record<ProvenanceName, string | null>>>;

/** Layout of constant text in memory. */
export interface ProvenanceColumnsOptions {
  /**
   * Makes text columns Categorical, which takes 4 instead of 16 bytes per row and a quarter of the time.
   *
   * @default false
   */
  readonly categorical?: boolean;
}

/** Constant provenance columns, for `frame.withColumns(...)`. */
export function provenanceColumns(
  columns: readonly ProvenanceColumn[],
  values: ProvenanceValues,
  options: ProvenanceColumnsOptions = {},
): Expr[] {
  const text = options.categorical === true ? pl.Categorical : pl.Utf8;
  return columns.map(({ name, type }) => {
    const value = values[name] ?? null;
    if (type === "text") return pl.lit(value).cast(text).alias(name);
    return pl.lit(toDate(value)).cast(type === "date" ? pl.Date : pl.Datetime("ms", "UTC")).alias(
      name,
    );
  });
}
