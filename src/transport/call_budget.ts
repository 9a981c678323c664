import { WaitBudget } from "./wait_budget.ts";

/**
 * What one call of a verb may take over all its requests, as far as its caller bounded it: the time until it must end,
 * and the waiting.
 */
export class CallBudget {
  /** Time for the whole call; `null` if the caller set none, so that the connection's holds for each request. */
  readonly deadlineMs: number | null;
  /** Waiting of the whole call; `null` if the caller set none. */
  readonly waits: WaitBudget | null;
  // The timers of deadlines follow this clock as well.
  readonly #startedMs = performance.now();

  /** @param options What the caller set; the time runs from here on */
  constructor(
    { deadlineMs, maxWaitMs }: { readonly deadlineMs?: number; readonly maxWaitMs?: number },
  ) {
    this.deadlineMs = deadlineMs ?? null;
    this.waits = maxWaitMs === undefined ? null : new WaitBudget(maxWaitMs);
  }

  /** Time that is left; `null` if the caller set none. */
  get leftMs(): number | null {
    if (this.deadlineMs === null) return null;
    return Math.max(0, this.deadlineMs - (performance.now() - this.#startedMs));
  }
}
