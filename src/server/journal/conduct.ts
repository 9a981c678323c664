import { LruCache } from "../catalogue/lru_cache.ts";

const MAX_CLIENTS = 4096;
const POLLS_ALLOWED = 2;

/** A request with its answer, as far as the conduct of a client can be judged by it. */
export interface ObservedExchange {
  /** The account whose conduct it is, or a hash of the refused credentials. */
  readonly client: string;
  /** Request target. */
  readonly target: string;
  /** Method. */
  readonly method: string;
  /** Status that was answered. */
  readonly status: number;
  /** `Retry-After` of the answer. */
  readonly retryAfterSeconds: number | null;
  /** True if the wait holds for the whole account rather than for this target alone. */
  readonly accountWide: boolean;
  /** Entity tag of the score set or file that was given, else `null`. */
  readonly etag: string | null;
  /** True if the answer to this target can change at all: not for `at` and `snapshot_id`. */
  readonly immutable: boolean;
  /** Download allowances spent: 0 or 1. */
  readonly spentDownloads: number;
  /** Arrival of the request. */
  readonly arrived: TwoTimes;
  /** Delivery of its answer. */
  readonly ended: TwoTimes;
}

/** A moment in the time that the client lives in, and by the server's clock; epoch milliseconds. */
export interface TwoTimes {
  /** Real time. */
  readonly realMs: number;
  /** Server time. */
  readonly serverMs: number;
}

interface Wait {
  readonly since: TwoTimes;
  readonly seconds: number;
}

/**
 * Tells when a client retries before `Retry-After`, repeats a refused key, or asks again for what it has.
 *
 * A wait is over when it has passed in real time or by the server's clock, so that a test that moves the clock need not
 * sleep.
 */
export class ConductObserver {
  readonly #waits = new LruCache<Wait>(MAX_CLIENTS);
  readonly #given = new LruCache<{ readonly etag: string; readonly times: number }>(MAX_CLIENTS);
  readonly #refusedKeys = new LruCache<true>(MAX_CLIENTS);

  /** Fault of the client in this request. */
  observe(exchange: ObservedExchange): readonly string[] {
    const complaints = [
      this.#tooEarly(exchange),
      this.#refusedKey(exchange),
      this.#needless(exchange),
    ].filter((complaint) => complaint !== null);
    this.#remember(exchange);
    return complaints;
  }

  #tooEarly(exchange: ObservedExchange): string | null {
    const { client, target } = exchange;
    const wait = this.#waits.get(client) ?? this.#waits.get(`${client} ${target}`);
    if (wait === undefined) return null;
    const { realMs, serverMs } = exchange.arrived;
    const passed = Math.max(realMs - wait.since.realMs, serverMs - wait.since.serverMs) / 1000;
    // A client could not know of the refusal when it sent a request before the refusal was delivered.
    if (passed >= wait.seconds || realMs < wait.since.realMs) return null;
    const early = (wait.seconds - passed).toFixed(1);
    return `retried ${early} s too early: Retry-After asked for ${wait.seconds} s`;
  }

  #refusedKey(exchange: ObservedExchange): string | null {
    if (exchange.status !== 401) return null;
    const repeated = this.#refusedKeys.get(exchange.client) !== undefined;
    return repeated ? "repeated a refused key: 401 must not be retried unchanged" : null;
  }

  #needless(exchange: ObservedExchange): string | null {
    const { etag, immutable, spentDownloads } = exchange;
    if (etag === null) return null;
    const given = this.#given.get(givenKey(exchange));
    if (given?.etag !== etag) return null;
    if (spentDownloads > 0) {
      return "downloaded a file again that it already has: HEAD spends nothing";
    }
    if (immutable) return "asked again for a set that never changes";
    if (given.times < POLLS_ALLOWED) return null;
    return `polled without need: nothing changed in ${given.times} answers, checks are hourly`;
  }

  #remember(exchange: ObservedExchange): void {
    const { client, target, status, etag, retryAfterSeconds, accountWide } = exchange;
    if (retryAfterSeconds !== null) {
      const key = accountWide ? client : `${client} ${target}`;
      this.#waits.set(key, { since: exchange.ended, seconds: retryAfterSeconds }, { weight: 1 });
    }
    if (status === 401) this.#refusedKeys.set(client, true, { weight: 1 });
    if (etag === null) return;
    const key = givenKey(exchange);
    const given = this.#given.get(key);
    const times = given?.etag === etag ? given.times + 1 : 1;
    this.#given.set(key, { etag, times }, { weight: 1 });
  }
}

function givenKey({ client, method, target }: ObservedExchange): string {
  return `${client} ${method} ${target}`;
}
