import { Session } from "node:inspector";

// About 32 MB. A collection takes a quarter of a second, because V8 also drops compiled loops.
const MANY_CELLS = 2_000_000;

let dead = 0;
let collect: (() => void) | null = null;

/**
 * Frees the memory of unreachable frames once there are many.
 *
 * V8 collects by the size of its own heap, in which a frame of any size takes a few bytes, so a program that makes many frames
 * in turn would keep hundreds of megabytes of unreachable ones. A runtime without V8 does nothing.
 *
 * @param cells Rows × columns of the frames that are no longer needed
 */
export function freeFrames(cells: number): void {
  dead += cells;
  if (dead < MANY_CELLS) return;
  dead = 0;
  collect ??= findCollector();
  collect();
}

function findCollector(): () => void {
  const { gc } = globalThis as { gc?: () => void };
  if (gc !== undefined) return gc;
  try {
    // The inspector collects without a V8 flag, which would apply to the whole process.
    const session = new Session();
    session.connect();
    return () => session.post("HeapProfiler.collectGarbage");
  } catch {
    return () => {};
  }
}
