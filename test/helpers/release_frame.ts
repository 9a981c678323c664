import pl from "nodejs-polars";

/** A release frame of one made-up ticker a row. */
export function releaseOf(rows: readonly (readonly [date: string, score: number | null])[]) {
  return pl.DataFrame([
    pl.Series("date", rows.map(([date]) => new Date(date)), pl.Date),
    pl.Series("ticker", rows.map((_, i) => `T${i}`), pl.Categorical),
    pl.Series("ecpnd_score", rows.map(([, score]) => score), pl.Float64),
  ]);
}

/** Two sessions out of order: one row with the score 0; and three, one of which has no score. */
export const SMALL_RELEASE = releaseOf([
  ["2026-08-14", 0],
  ["2026-08-13", 0.5],
  ["2026-08-13", null],
  ["2026-08-13", 1],
]);
