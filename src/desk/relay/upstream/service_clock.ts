import type { ConnectionContext } from "../../../client/verb/connection_context.ts";

const LOOK_AGAIN_AFTER_MS = 1_000;

/** A moment by the service's clock and by a monotonic clock. */
export interface Moment {
  /** Epoch milliseconds by the service's clock. */
  readonly serviceMs: number;
  /** Milliseconds of the monotonic clock. */
  readonly steadyMs: number;
}

/** The service's clock, estimated from its answers; the ledger with that estimate is read once a second. */
export class ServiceClock {
  readonly #context: Pick<ConnectionContext, "clock" | "ledger">;
  readonly #steady: () => number;
  #offsetMs = 0;
  #readAtMs = NaN;
  #steadyReadAtMs = -Infinity;
  #last: Moment | null = null;
  #held: Moment | null = null;

  /**
   * @param context Clock of this machine, and the ledger
   * @param steady Milliseconds of a monotonic clock
   */
  constructor(
    context: Pick<ConnectionContext, "clock" | "ledger">,
    steady: () => number = () => performance.now(),
  ) {
    this.#context = context;
    this.#steady = steady;
  }

  /** Time by the service's clock, epoch milliseconds. */
  nowMs(): number {
    return this.moment().serviceMs;
  }

  /** The moment now. */
  moment(): Moment {
    const steadyMs = this.#steady();
    const now = { serviceMs: this.#toldMs(steadyMs), steadyMs };
    // After this machine's clock was set back, the monotonic clock continues from the last moment until the next answer.
    if (this.#last !== null && now.serviceMs < this.#last.serviceMs - LOOK_AGAIN_AFTER_MS) {
      this.#held ??= this.#last;
    }
    const held = this.#held;
    this.#last = held === null
      ? now
      : { serviceMs: held.serviceMs + (steadyMs - held.steadyMs), steadyMs };
    return this.#last;
  }

  /** Time since a moment, by the clock with the longer duration: either may stand still or be set. */
  sinceMs(moment: Moment): number {
    const now = this.moment();
    // After a correction only the monotonic clock shows the duration.
    return Math.max(0, now.serviceMs - moment.serviceMs, now.steadyMs - moment.steadyMs);
  }

  /** Reads the ledger again at the next call, after an answer. */
  forget(): void {
    this.#readAtMs = NaN;
    this.#held = null;
    this.#last = null;
  }

  #toldMs(steadyMs: number): number {
    const nowMs = this.#context.clock.now();
    const movedMs = nowMs - this.#readAtMs;
    const isRecent = movedMs >= 0 && movedMs < LOOK_AGAIN_AFTER_MS &&
      steadyMs - this.#steadyReadAtMs < LOOK_AGAIN_AFTER_MS;
    if (!isRecent) {
      this.#offsetMs = this.#context.ledger.read().clockOffsetMs ?? 0;
      this.#readAtMs = nowMs;
      this.#steadyReadAtMs = steadyMs;
    }
    return nowMs + this.#offsetMs;
  }
}
