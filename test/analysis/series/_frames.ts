import pl, { type DataFrame } from "nodejs-polars";

/** A date some days after 2026-01-01. */
export function dateAfter(days: number): string {
  return new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10);
}

/** A frame of one value per day, from 2026-01-01 on: of returns by date, of others by session. */
export function byDay(name: string, values: readonly (number | null)[]): DataFrame {
  return pl.DataFrame([
    pl.Series(
      name === "return" ? "date" : "session",
      values.map((_, i) => new Date(dateAfter(i))),
      pl.Date,
    ),
    pl.Series(name, [...values], pl.Float64),
  ]);
}

/** The rows of a frame in an order that a seed mixes. */
export function shuffled(frame: DataFrame, seed = 1): DataFrame {
  const order = Array.from({ length: frame.height }, (_, i) => Math.sin(seed * 997 * (i + 1)));
  return frame.withColumns(pl.Series("_order", order, pl.Float64)).sort("_order").drop("_order");
}

/** Dates of a row as text, so that they can be compared with literals. */
export function rowsOf(frame: DataFrame): Record<string, unknown>[] {
  return frame.toRecords().map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        (value as unknown) instanceof Date
          ? (value as unknown as Date).toISOString().slice(0, 10)
          : value,
      ]),
    )
  );
}
