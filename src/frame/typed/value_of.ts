import type { pl } from "nodejs-polars";

/**
 * Type of the values of a column, as they are at run time: null for a missing one, a JavaScript `Date` for a date or an
 * instant. Unknown where nodejs-polars has no one form, as for a list or a whole number of 64 bits.
 */
export type ValueOf<Type> = Type extends
  pl.Float64 | pl.Float32 | pl.Int8 | pl.Int16 | pl.Int32 | pl.UInt8 | pl.UInt16 | pl.UInt32
  ? number | null
  : Type extends pl.Utf8 | pl.String | pl.Categorical ? string | null
  : Type extends pl.Bool ? boolean | null
  : Type extends pl.Date | pl.Datetime ? Date | null
  : unknown;
