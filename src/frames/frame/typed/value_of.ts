import type { pl } from "nodejs-polars";

/**
 * Run-time type of the values of a column: null for a missing one, a JavaScript `Date` for a date or an instant. Unknown where
 * nodejs-polars has several forms, as for lists and 64-bit integers.
 *
 * @internal
 */
export type ValueOf<Type> = Type extends
  pl.Float64 | pl.Float32 | pl.Int8 | pl.Int16 | pl.Int32 | pl.UInt8 | pl.UInt16 | pl.UInt32
  ? number | null
  : Type extends pl.Utf8 | pl.String | pl.Categorical ? string | null
  : Type extends pl.Bool ? boolean | null
  : Type extends pl.Date | pl.Datetime ? Date | null
  : unknown;
