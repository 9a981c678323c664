import type { Factor } from "../../../base/contract/factor.ts";
import type { FactorEntry } from "../../../base/contract/factor_list.ts";
import { AccessError } from "../../../base/errors.ts";
import type { Refusal } from "../../../server/message/refusal.ts";
import type { Moment, ServiceClock } from "./service_clock.ts";

/** Licence of the account, as confirmed by the service; never written to the disk. */
export interface Confirmed {
  /** Factors of the account. */
  readonly entries: readonly FactorEntry[];
  /** Moment of the confirming request. */
  readonly moment: Moment;
  /** Name and parameters of a synthetic world; `null` if the service reported none. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /** True if an embedded server answered. */
  readonly isEmbedded: boolean;
  /** True if the service declares its numbers as synthetic. */
  readonly isSynthetic: boolean;
  /** True if the service has refused a factor since. */
  readonly isCut?: boolean;
}

/** Validity of a confirmed licence. */
export class LicenceLease {
  readonly #clock: ServiceClock;
  readonly #leaseMs: number;
  #confirmed: Confirmed | null = null;
  #last: Confirmed | null = null;
  #refused: { readonly refusal: Refusal; readonly moment: Moment } | null = null;

  /**
   * @param clock Clock that determines its end
   * @param leaseMs Time for which a confirmation is valid
   */
  constructor(clock: ServiceClock, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  /** The licence while it is valid, else `null`. */
  get confirmed(): Confirmed | null {
    const confirmed = this.#confirmed;
    if (confirmed === null) return null;
    return this.#clock.sinceMs(confirmed.moment) < this.#leaseMs ? confirmed : null;
  }

  /** The last confirmation, valid or not. */
  get last(): Confirmed | null {
    return this.#last;
  }

  /** Age of the licence; `Infinity` without a valid one. */
  get ageMs(): number {
    const confirmed = this.confirmed;
    return confirmed === null ? Infinity : this.#clock.sinceMs(confirmed.moment);
  }

  /** Refusal of the account by the service since the last confirmation; `null` without one. */
  get refusal(): Refusal | null {
    return this.#refused?.refusal ?? null;
  }

  /** True if the account was refused so recently that the service must not be asked again. */
  get isClosed(): boolean {
    const refused = this.#refused;
    return refused !== null && this.#clock.sinceMs(refused.moment) < this.#leaseMs;
  }

  /** Starts with a new confirmation. */
  confirm(confirmed: Confirmed): void {
    this.#confirmed = confirmed;
    this.#last = confirmed;
    this.#refused = null;
  }

  /** Lets the service be asked again, with another key or when its operator says so. */
  open(): void {
    this.#refused = null;
  }

  /** Ends the licence of a factor or the account as soon as the service refuses it. */
  learn(error: unknown, refusal: Refusal, factor: Factor | null): void {
    if (!(error instanceof AccessError)) return;
    if (error.code === "factor_subscription_required" && factor !== null && this.#confirmed) {
      const entries = this.#confirmed.entries.filter((entry) => entry.factor !== factor);
      this.#confirmed = { ...this.#confirmed, entries, isCut: true };
    }
    if (error.code === "factor_subscription_required") return;
    this.#confirmed = null;
    // What is refused locally afterwards is no new answer of the service.
    if (!this.isClosed) this.#refused = { refusal, moment: this.#clock.moment() };
  }
}
