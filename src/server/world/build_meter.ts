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

/** Counts the sessions and hours of a world as they are written. */
export class BuildMeter {
  readonly #total: number;
  readonly #onProgress: (progress: BuildProgress) => void;
  #done = 0;

  /**
   * Starts at zero.
   *
   * @param model The world
   * @param onProgress Called after each addition
   */
  constructor(model: WorldModel, onProgress: (progress: BuildProgress) => void) {
    const { calendar, parameters } = model;
    const firsts = FACTORS.map((factor) => releaseWindowOf(model, factor).firstSession);
    const last = calendar.lastClosedAt(epochMsOf(parameters.end));
    const sessions = last - Math.min(...firsts) + 1;
    this.#total = sessions + FACTORS.length * parameters.hours;
    this.#onProgress = onProgress;
  }

  /** Adds sessions or hours that were written. */
  add(count: number): void {
    this.#done += count;
    this.#onProgress({ done: this.#done, total: this.#total });
  }
}
