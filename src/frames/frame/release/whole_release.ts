import type { DataFrame } from "nodejs-polars";

// A selection of rows looks like a release; only the identity of the frame shows that it is complete.
const heights = new WeakMap<DataFrame, number>();

/** Marks a frame as all rows of a release, and returns it. */
export function markWholeRelease(frame: DataFrame): DataFrame {
  heights.set(frame, frame.height);
  return frame;
}

/** True if a frame is the marked one, with its rows unchanged. */
export function isWholeRelease(frame: DataFrame): boolean {
  return heights.get(frame) === frame.height;
}
