import { Session } from "node:inspector";

// Some 32 MB. A collection takes a quarter of a second: V8 drops compiled loops with it.
const MANY_CELLS = 2_000_000;

let dead = 0;
let collect: (() => void) | null = null;

/**
 * Gives back the memory of frames that nothing refers to any more, once they are many.
 *
 * V8 collects by the size of its own heap, in which a frame of any size is a few bytes, so that a program that makes many
 * frames one after the other keeps hundreds of megabytes of dead ones. A runtime without V8 does nothing.
 *
 * @param cells Rows × columns of the frames that were needed until now
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
    // The inspector collects without a flag of V8, which would hold for the whole process.
    const session = new Session();
    session.connect();
    return () => session.post("HeapProfiler.collectGarbage");
  } catch {
    return () => {};
  }
}
