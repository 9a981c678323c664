import { type Factor, FACTORS } from "../../contract/factor.ts";
import { epochMsOf, instantOf } from "../../contract/instant.ts";
import { type CheckSource, completeCheck, readLastCheck } from "../../store/complete_check.ts";
import type { Store } from "../../store/store.ts";
import type { Timeline } from "../timeline/timeline.ts";

const HOUR_MS = 3_600_000;

/** What an engine works with. */
export interface CheckEngineParts {
  /** Where checks are kept. */
  readonly store: Store;
  /** What a check finds. */
  readonly source: CheckSource;
  /** What happens to the service; asked anew for each check. */
  readonly timeline: () => Timeline;
}

/**
 * Completes a check on each full hour of the server's clock, as far as the clock has come.
 *
 * Hours are completed when somebody first asks, in order: for a client that is the same as if they had been
 * completed at their time, and nothing runs while nobody asks.
 */
export class CheckEngine {
  readonly #parts: CheckEngineParts;
  #doneThroughMs = -Infinity;
  #work: Promise<void> = Promise.resolve();

  /** @param parts Store, source and timeline */
  constructor(parts: CheckEngineParts) {
    this.#parts = parts;
  }

  /** Completes every hour up to a time; resolves at once when there is nothing to do. */
  catchUp(nowMs: number): Promise<void> | undefined {
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    if (hourMs <= this.#doneThroughMs) return undefined;
    this.#work = this.#work.then(() => this.#completeThrough(hourMs));
    const work = this.#work;
    // A failed hour is tried again by the next request; whoever waits now gets the failure.
    this.#work = work.catch(() => {});
    return work;
  }

  async #completeThrough(hourMs: number): Promise<void> {
    if (hourMs <= this.#doneThroughMs) return;
    for (const factor of FACTORS) await this.#completeFactor(factor, hourMs);
    this.#doneThroughMs = hourMs;
  }

  async #completeFactor(factor: Factor, hourMs: number): Promise<void> {
    const { store, source, timeline } = this.#parts;
    // Read anew each time: somebody may have published numbers of her own meanwhile.
    let previous = await readLastCheck(store, factor);
    // Without any check so far the service begins now, not in the past.
    let nextMs = previous === null
      ? hourMs
      : nextHourAfter(epochMsOf(previous.check.lastCheckedAt));
    for (; nextMs <= hourMs; nextMs += HOUR_MS) {
      const hour = instantOf(nextMs);
      const found = timeline().hides(factor, hour) ? null : await source(factor, hour);
      if (found === null) continue;
      const input = timeline().correct(found);
      previous = await completeCheck(store, input, { origin: "embedded server", previous });
    }
  }
}

function nextHourAfter(ms: number): number {
  return (Math.floor(ms / HOUR_MS) + 1) * HOUR_MS;
}
