import type { Clock } from "../clock.ts";
import type { WaitPatience } from "../call_patience.ts";

/**
 * A wait for a slot that other requests hold; its end is unknown, so it is checked repeatedly.
 *
 * It is measured by the connection's clock, or by the platform's if that one stands still, as in a demo.
 */
export class PlaceWait {
  readonly #clock: Pick<Clock, "now">;
  readonly #waits: WaitPatience;
  readonly #beganMs: number;
  readonly #platformBeganMs = performance.now();
  #countedMs: number;

  /**
   * @param clock The connection's clock
   * @param waits Waiting that the call has left
   */
  constructor(clock: Pick<Clock, "now">, waits: WaitPatience) {
    this.#clock = clock;
    this.#waits = waits;
    this.#beganMs = clock.now();
    this.#countedMs = this.#beganMs;
  }

  /** Duration so far. */
  get lastedMs(): number {
    const platformMs = Math.floor(performance.now() - this.#platformBeganMs);
    return Math.max(this.#clock.now() - this.#beganMs, platformMs);
  }

  /** Counts the time since the last call; returns true if the call may continue to wait. */
  count(): boolean {
    const nowMs = this.#beganMs + this.lastedMs;
    this.#waits.spend(this.#countedMs, nowMs);
    this.#countedMs = Math.max(this.#countedMs, nowMs);
    return this.#waits.leftFrom(nowMs) > 0;
  }
}
