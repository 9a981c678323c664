import pl, { type Expr, type Series } from "nodejs-polars";

/** Type of a column, for reading times. */
export interface TimeColumn {
  /** Name of the type in Polars. */
  readonly name: string;
  /** Time zone of a Datetime; `null` for a Datetime without one, and for every other type. */
  readonly zone: string | null;
  /** `true` for text. */
  readonly isText: boolean;
}

/** Type and time zone of a column. */
export function columnType({ dtype }: Series): TimeColumn {
  const { variant, timeZone } = dtype as { variant?: string; timeZone?: string | null };
  const name = variant ?? String(dtype);
  // Polars has an empty string for times without a zone.
  const zone = timeZone === undefined || timeZone === "" ? null : timeZone;
  return { name, zone, isText: ["Utf8", "String", "Categorical"].includes(name) };
}

/** Milliseconds since 1970-01-01T00:00 in the local time of a Datetime, whatever its zone; null stays null. */
export function clockMs(name: string, { zone }: TimeColumn): Expr {
  const clock = zone === null ? pl.col(name) : pl.col(name).dt.replaceTimeZone("UTC");
  return clock.cast(pl.Datetime("ms")).cast(pl.Int64).cast(pl.Float64);
}
