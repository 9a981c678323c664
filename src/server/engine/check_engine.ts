import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import {
  type CheckSource,
  completeCheck,
  readLastCheck,
} from "../../base/store/checks/complete_check.ts";
import type { Store } from "../../base/store/store.ts";
import type { Timeline } from "../timeline/timeline.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";

/** Parts of an engine. */
export interface CheckEngineParts {
  /** Store of the checks. */
  readonly store: Store;
  /** Findings of a check. */
  readonly source: CheckSource;
  /** Returns the events of the service; called for each check. */
  readonly timeline: () => Timeline;
}

/**
 * Completes the check of each full hour of the server's clock when a request first needs it.
 *
 * Hours are completed in order. The result is as if each had been completed at its time, but nothing runs without requests. The
 * factors are independent: a failing source of one does not affect the other.
 */
export class CheckEngine {
  readonly #parts: CheckEngineParts;
  readonly #states: Readonly<Record<Factor, { doneThroughMs: number; work: Promise<void> }>>;

  /** @param parts Store, source and timeline */
  constructor(parts: CheckEngineParts) {
    this.#parts = parts;
    const begin = () => ({ doneThroughMs: -Infinity, work: Promise.resolve() });
    this.#states = { ecpnd: begin(), ecqdi: begin() };
  }

  /**
   * Completes every hour of a factor up to a time; `undefined` if there is nothing to do.
   *
   * Rejects if one of these hours fails; the next request tries again.
   */
  catchUp(factor: Factor, nowMs: number): Promise<void> | undefined {
    const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
    const state = this.#states[factor];
    if (hourMs <= state.doneThroughMs) return undefined;
    const work = state.work.then(() => this.#completeThrough(factor, hourMs));
    state.work = work.catch(() => {});
    return work;
  }

  async #completeThrough(factor: Factor, hourMs: number): Promise<void> {
    const state = this.#states[factor];
    if (hourMs <= state.doneThroughMs) return;
    await this.#completeFactor(factor, hourMs);
    state.doneThroughMs = hourMs;
  }

  async #completeFactor(factor: Factor, hourMs: number): Promise<void> {
    const { store, source, timeline } = this.#parts;
    // Listed again each time: a user may have published scores meanwhile.
    const last = (await store.listChecks(factor)).at(-1);
    // Without earlier checks the service begins now, not in the past.
    let nextMs = last === undefined
      ? hourMs
      : (Math.floor(epochMsOf(last.lastCheckedAt) / HOUR_MS) + 1) * HOUR_MS;
    // The requested time is before the last check, which then need not be readable.
    if (nextMs > hourMs) return;
    let previous = await readLastCheck(store, factor);
    for (; nextMs <= hourMs; nextMs += HOUR_MS) {
      const hour = instantOf(nextMs);
      const found = timeline().hides(factor, hour) ? null : await source(factor, hour);
      if (found === null) continue;
      const input = timeline().correct(found);
      previous = await completeCheck(store, input, { origin: "embedded server", previous });
    }
  }
}
