import type { DataFrame } from "nodejs-polars";

// Rows of a selection look like those of the release: only the frame itself can tell that nothing was left out.
const heights = new WeakMap<DataFrame, number>();

/** Marks a frame as all rows of a release, and returns it. */
export function markWholeRelease(frame: DataFrame): DataFrame {
  heights.set(frame, frame.height);
  return frame;
}

/** True if a frame is the very one that was marked, with its rows. */
export function isWholeRelease(frame: DataFrame): boolean {
  return heights.get(frame) === frame.height;
}
