import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { HELD_OUT_MARK } from "../../contract/held_out_mark.ts";
import { SYNTHETIC_MARK } from "../../contract/synthetic_mark.ts";
import { markOf, setMark } from "./lineage.ts";

/**
 * Marks a frame of synthetic numbers, and with it every frame that Polars derives from it: columns can be selected away,
 * and a chart or a display shall say all the same that the numbers are made up. A frame that is built anew of
 * values or of Series is marked by {@link inheritSynthetic} alone.
 */
export function markSynthetic<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  sources: readonly string[],
): Frame {
  if (!sources.some((source) => source.includes("synthetic"))) return frame;
  return setMark(frame, SYNTHETIC_MARK, true);
}

/**
 * Marks a frame that was built anew of the numbers of others, if one of them is marked, and returns it; a hold-out of the
 * study that they come from is marked as well.
 */
export function inheritSynthetic<Frame extends DataFrame>(
  frame: Frame,
  parents: readonly DataFrame[],
): Frame {
  const heldOut = parents.map((parent) => markOf(parent, HELD_OUT_MARK))
    .find((found) => found !== undefined);
  if (heldOut !== undefined) setMark(frame, HELD_OUT_MARK, heldOut);
  return parents.some(isMarkedSynthetic) ? setMark(frame, SYNTHETIC_MARK, true) : frame;
}

/** True if numbers of the frame, or of one that it was derived from, are synthetic. */
export function isMarkedSynthetic(frame: DataFrame): boolean {
  return markOf(frame, SYNTHETIC_MARK) === true;
}

/** True if a frame is known to have synthetic numbers: by its lineage, or by what a row says of its source. */
export function hasSynthetic(frame: DataFrame): boolean {
  if (isMarkedSynthetic(frame)) return true;
  if (!frame.columns.includes("source")) return false;
  const sources = frame.getColumn("source").unique().dropNulls().toArray() as unknown[];
  return sources.some((source) => String(source).includes("synthetic"));
}
