import type { DataFrame, Expr } from "nodejs-polars";
import { stateOfCloses } from "../../frames/prices/closes/close_state.ts";

/**
 * Refuses the level of closes as something that was known on its date, unless they are marked as traded: each later split and
 * dividend changes adjusted ones.
 *
 * @param read Columns, or an expression on the frame
 * @throws {TypeError} If they read `close` of a frame that is not marked as traded, with the raw column if there is one
 */
export function refuseAdjustedLevel(
  action: string,
  frame: DataFrame,
  read: readonly string[] | Expr,
): void {
  const state = stateOfCloses(frame);
  if (state === "none" || !readsClose(frame, read)) return;
  const advice = frame.columns.includes("raw")
    ? "use the column raw, which has the closes as traded"
    : state === "unknown"
    ? 'if they are as traded, name them so: frame.rename({ close: "raw" }), and use raw'
    : 'read them with the raw ones beside them: readPrices("closes.csv", { raw: "NAME" }), and use raw';
  const got = state === "unknown"
    ? "of which nothing says whether later splits and dividends changed it"
    : `which is adjusted for later splits${state === "all" ? " and dividends" : ""}`;
  throw new TypeError(
    `Cannot ${action}: expected prices that were known on their dates, got close, ${got}; ${advice}`,
  );
}

/** `true` if columns or an expression on a frame include its closes. */
function readsClose(frame: DataFrame, read: readonly string[] | Expr): boolean {
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
