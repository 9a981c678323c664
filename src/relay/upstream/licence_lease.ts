import type { Factor } from "../../contract/factor.ts";
import type { FactorEntry } from "../../contract/factor_list.ts";
import { AccessError } from "../../errors.ts";
import type { Refusal } from "../../server/message/refusal.ts";
import type { Moment, ServiceClock } from "./service_clock.ts";

/** Licence of the account, as the service confirmed it; nothing of it is ever on the disk. */
export interface Confirmed {
  /** Factors of the account. */
  readonly entries: readonly FactorEntry[];
  /** Moment of the question that confirmed them. */
  readonly moment: Moment;
  /** Name and parameters of a synthetic world; `null` if the service told none. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /** True if an embedded server answered. */
  readonly isEmbedded: boolean;
  /** True if the service declares its numbers as made up. */
  readonly isSynthetic: boolean;
  /** True if the service refused a factor since. */
  readonly isCut?: boolean;
}

// They end the licence of the account, whatever was asked.
const ENDING: readonly string[] = ["unauthorized", "subscription_required"];

/** Time for which a confirmed licence holds. */
export class LicenceLease {
  readonly #clock: ServiceClock;
  readonly #leaseMs: number;
  #confirmed: Confirmed | null = null;
  #last: Confirmed | null = null;
  #refused: { readonly refusal: Refusal; readonly moment: Moment } | null = null;

  /**
   * @param clock Time by which it ends
   * @param leaseMs Time for which a confirmation holds
   */
  constructor(clock: ServiceClock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** The licence while it holds, or `null`. */
  get confirmed(): Confirmed | null {
    const confirmed = this.#confirmed;
    if (confirmed === null) return null;
    return this.#clock.sinceMs(confirmed.moment) < this.#leaseMs ? confirmed : null;
  }

  /** The last confirmation, whether it holds or not. */
  get last(): Confirmed | null {
    return this.#last;
  }

  /** Age of the licence; `Infinity` if none holds. */
  get ageMs(): number {
    const confirmed = this.confirmed;
    return confirmed === null ? Infinity : this.#clock.sinceMs(confirmed.moment);
  }

  /** Refusal with which the service ended the licence no longer ago than a time; `null` if it did not. */
  refusedWithin(ms: number): Refusal | null {
    if (this.#refused === null || this.#clock.sinceMs(this.#refused.moment) >= ms) return null;
    return this.#refused.refusal;
  }

  /** Begins anew. */
  confirm(confirmed: Confirmed): void {
    this.#confirmed = confirmed;
    this.#last = confirmed;
    this.#refused = null;
  }

  /** Ends at once what the service refuses: a factor, or the account. */
  learn(error: unknown, refusal: Refusal, factor: Factor | null): void {
    if (!(error instanceof AccessError)) return;
    if (error.code === "factor_subscription_required" && factor !== null && this.#confirmed) {
      const entries = this.#confirmed.entries.filter((entry) => entry.factor !== factor);
      this.#confirmed = { ...this.#confirmed, entries, isCut: true };
    }
    if (error.code === null || !ENDING.includes(error.code)) return;
    this.#confirmed = null;
    this.#refused = { refusal, moment: this.#clock.moment() };
  }
}
