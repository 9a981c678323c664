import { createProgress, type Progress } from "../../frames/notebook/kernel/progress.ts";
import type { BuildProgress } from "../../server/world/build_meter.ts";

/** Options of {@link BuildProgressBar}. */
export interface BuildProgressBarOptions {
  /**
   * Starts the bar.
   *
   * @default in a notebook or a terminal
   */
  readonly start?: () => Progress;
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

// A shorter build shows no progress.
const QUIET_MS = 500;

/** Progress of building a world, shown once it takes longer than half a second. */
export class BuildProgressBar {
  readonly #start: () => Progress;
  readonly #now: () => number;
  readonly #begunMs: number;
  #bar: Progress | null = null;

  /** @param options Display of the bar */
  constructor(options: BuildProgressBarOptions = {}) {
    this.#start = options.start ?? (() => createProgress("Building the synthetic world"));
    this.#now = options.now ?? Date.now;
    this.#begunMs = this.#now();
  }

  /** Updates the bar. */
  update({ done, total }: BuildProgress): void {
    if (this.#bar === null && this.#now() - this.#begunMs <= QUIET_MS) return;
    this.#bar ??= this.#start();
    this.#bar.update({ done, total, note: "sessions and hourly checks" });
  }

  /** Closes the bar if it is shown. */
  async finish(): Promise<void> {
    await this.#bar?.finish();
  }
}
