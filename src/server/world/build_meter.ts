import { FACTORS } from "../../base/contract/factor.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import { releaseWindowOf } from "./release/release_window.ts";
import type { WorldModel } from "./world_model.ts";

/** Progress of building a world. */
export interface BuildProgress {
  /** Number of sessions and hours written, with the hours of both factors. */
  readonly done: number;
  /** Total number of sessions and hours to write. */
  readonly total: number;
}

/**
 * Counts the sessions and hours of a world as they are written, from zero.
 *
 * @param onProgress Called after each addition
 * @returns Adds sessions or hours that were written
 */
export function buildMeter(
  model: WorldModel,
  onProgress: (progress: BuildProgress) => void,
): (count: number) => void {
  const firsts = FACTORS.map((factor) => releaseWindowOf(model, factor).firstSession);
  const last = model.calendar.lastClosedAt(epochMsOf(model.parameters.end));
  const sessions = last - Math.min(...firsts) + 1;
  const total = sessions + FACTORS.length * model.parameters.hours;
  let done = 0;
  return (count) => onProgress({ done: done += count, total });
}
