import type { DataFrame, Expr } from "nodejs-polars";

/**
 * Refuses the level of adjusted closes as something that was known on its date: each later split and dividend changes it.
 *
 * @param read Columns, or an expression on the frame
 * @throws {TypeError} If they read `close` of a frame that is marked as adjusted, with the raw column if there is one
 */
export function refuseAdjustedLevel(
  action: string,
  frame: DataFrame,
  read: readonly string[] | Expr,
): void {
  const { columns } = frame;
  if (!columns.includes("adjusted") || !readsClose(frame, read)) return;
  if (frame.getColumn("adjusted").sum() === 0) return;
  const advice = columns.includes("raw")
    ? "use the column raw, which has the closes as traded"
    : 'read them with the raw ones beside them: readPrices("closes.csv", { raw: "NAME" }), and use raw';
  throw new TypeError(
    `Cannot ${action}: expected prices that were known on their dates, got close, which is adjusted for later splits and ` +
      `dividends; ${advice}`,
  );
}

/** `true` if columns or an expression on a frame include its closes. */
export function readsClose(frame: DataFrame, read: readonly string[] | Expr): boolean {
  if (!frame.columns.includes("close")) return false;
  if (Array.isArray(read)) return read.includes("close");
  const works = (some: DataFrame) => {
    try {
      return some.select((read as Expr).alias("read")).width === 1;
    } catch {
      return false;
    }
  };
  const few = frame.head(1);
  return works(few) && !works(few.drop("close"));
}
