import pl, { type Series } from "nodejs-polars";

/** Creates a Float64 column; NaN becomes null. */
export function numberColumn(name: string, values: Float64Array): Series {
  // Polars does not read an array from another realm, or shared memory.
  const own = values.buffer instanceof ArrayBuffer ? values : Float64Array.from(values);
  return pl.DataFrame([pl.Series(name, own, pl.Float64)])
    .select(pl.when(pl.col(name).isNan()).then(pl.lit(null)).otherwise(pl.col(name)).alias(name))
    .getColumn(name);
}

/** Creates an Int32 column of counts. */
export function countColumn(name: string, values: Int32Array): Series {
  return pl.Series(name, values, pl.Int32);
}

/** Creates an Int32 column in which one number stands for null. */
export function countOrNullColumn(name: string, values: Int32Array, missing: number): Series {
  return pl.DataFrame([pl.Series(name, values, pl.Int32)])
    .select(
      pl.when(pl.col(name).eq(pl.lit(missing))).then(pl.lit(null)).otherwise(pl.col(name))
        .cast(pl.Int32).alias(name),
    )
    .getColumn(name);
}

/** Creates a Date column from days since 1970-01-01. */
export function dayColumn(name: string, days: Int32Array): Series {
  return pl.Series(name, days, pl.Int32).cast(pl.Date);
}

/** Creates a Datetime column from milliseconds since 1970-01-01T00:00Z; NaN becomes null. */
export function instantColumn(name: string, milliseconds: Float64Array): Series {
  return numberColumn(name, milliseconds).cast(pl.Int64).cast(pl.Datetime("ms", "UTC"));
}

/** Creates a Utf8 column from texts by number; a negative number becomes null. */
export function textColumn(
  name: string,
  codes: ArrayLike<number>,
  texts: readonly (string | null)[],
): Series {
  const table = pl.DataFrame([
    pl.Series("code", Int32Array.from(texts.keys()), pl.Int32),
    pl.Series(name, [...texts], pl.Utf8),
  ]);
  return pl.DataFrame([pl.Series("code", Int32Array.from(codes), pl.Int32)])
    .join(table, { on: "code", how: "left" })
    .getColumn(name);
}
