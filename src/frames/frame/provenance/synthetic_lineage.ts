import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { HELD_OUT_MARK, SYNTHETIC_MARK } from "../../../base/contract/frame_marks.ts";
import { markOf, setMark } from "./lineage.ts";
import { saysSynthetic } from "./origin.ts";

/**
 * Marks a frame of synthetic numbers and every frame that Polars derives from it, so that charts and displays say so even if
 * columns are dropped. A frame built from values or Series needs {@link inheritSynthetic}.
 */
export function markSynthetic<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  sources: readonly string[],
): Frame {
  if (!sources.some(saysSynthetic)) return frame;
  return setMark(frame, SYNTHETIC_MARK, true);
}

/**
 * Marks a frame built from the numbers of other frames if one of those is marked, and returns it; the mark of a hold-out is
 * inherited as well.
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

/** True if the frame or one of its ancestors is marked as synthetic. */
export function isMarkedSynthetic(frame: DataFrame): boolean {
  return markOf(frame, SYNTHETIC_MARK) === true;
}

/** True if a frame has synthetic numbers, according to its lineage or the `source` of a row. */
export function hasSynthetic(frame: DataFrame): boolean {
  if (isMarkedSynthetic(frame)) return true;
  if (!frame.columns.includes("source")) return false;
  return frame.getColumn("source").unique().toArray().some(saysSynthetic);
}
