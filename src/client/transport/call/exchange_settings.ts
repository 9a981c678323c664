import type { Clock } from "../clock.ts";
import type { Credential } from "../wire/credential.ts";
import type { EventLog } from "../event_log.ts";
import type { ExchangeOptions } from "../exchange.ts";
import type { Ledger } from "../allowance/ledger.ts";
import type { HearWait } from "../long_wait.ts";
import type { Proxy } from "../wire/proxy.ts";
import type { Sender } from "../wire/sender.ts";

/** Parts of an exchange with the service. */
export interface ExchangeSettings {
  /** Base address without a trailing slash. */
  readonly origin: string;
  /** The key. */
  readonly credential: Credential;
  /** Sender. */
  readonly sender: Sender;
  /**
   * The proxy through which it sends.
   *
   * @default none
   */
  readonly proxy?: Proxy | null;
  /**
   * Sentence on a variable that names a proxy and is not used.
   *
   * @default none
   */
  readonly unheeded?: string | null;
  /** Spending of the account. */
  readonly ledger: Ledger;
  /** Clock and random numbers. */
  readonly clock: Clock;
  /** Log of attempts. */
  readonly log: EventLog;
  /** Value of the `User-Agent` header. */
  readonly userAgent: string;
  /** Defaults of a call. */
  readonly defaults: ExchangeDefaults;
  /**
   * Called with a wait of three seconds or more before it begins.
   *
   * @default none
   */
  readonly onWait?: HearWait;
}

/** Defaults of a call. */
export type ExchangeDefaults = Required<Omit<ExchangeOptions, "signal">>;

/** Defaults of a call: the service takes at most 15 s for an answer (section 8). */
export const EXCHANGE_DEFAULTS: ExchangeDefaults = {
  timeoutMs: 20_000,
  deadlineMs: 120_000,
  maxRetries: 2,
  // The next minute's budget is at most 60 s away, and the service's clock is known to about a second.
  maxWaitMs: 65_000,
  reserve: 0,
};
