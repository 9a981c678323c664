import { epochMsOf, type Instant, instantOf, parseInstant } from "../../base/contract/instant.ts";

/**
 * Clock of a server, for quota windows, licences, `stale`, the future and the Date header.
 *
 * It runs with a given clock, stands still at an instant, or runs from there at another rate.
 */
export class ServerClock {
  readonly #base: () => number;
  #originMs: number;
  #baseOriginMs: number;
  #rate: number;

  /**
   * Creates a clock that runs with another one.
   *
   * @param base The other clock, epoch milliseconds; usually `Date.now`
   */
  constructor(base: () => number) {
    this.#base = base;
    this.#baseOriginMs = base();
    this.#originMs = this.#baseOriginMs;
    this.#rate = 1;
  }

  /** Server time, epoch milliseconds. */
  nowMs(): number {
    return Math.floor(this.#originMs + (this.#base() - this.#baseOriginMs) * this.#rate);
  }

  /** Server time as a canonical instant. */
  now(): Instant {
    return instantOf(this.nowMs());
  }

  /** Rate of the clock; 0 if it stands still. */
  get rate(): number {
    return this.#rate;
  }

  /**
   * Sets the clock to an instant, where it stands still unless a rate is given.
   *
   * @throws {ContractViolation} If the instant is not an RFC 3339 date-time
   */
  set(instant: string, options: { readonly rate?: number } = {}): void {
    this.#restart(epochMsOf(parseInstant(instant, "clock")), options.rate ?? 0);
  }

  /** Moves the clock by a number of milliseconds, forward or back, without changing its rate. */
  advance(ms: number): void {
    this.#restart(this.nowMs() + ms, this.#rate);
  }

  /**
   * Lets the clock run from its current time.
   *
   * @param rate Server seconds per real second
   */
  run(rate = 1): void {
    this.#restart(this.nowMs(), rate);
  }

  #restart(originMs: number, rate: number): void {
    if (!Number.isFinite(rate) || rate < 0) {
      throw new RangeError(`Cannot run the clock: expected a rate of at least 0, got ${rate}`);
    }
    this.#originMs = originMs;
    this.#baseOriginMs = this.#base();
    this.#rate = rate;
  }
}
