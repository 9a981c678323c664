import { LruCache } from "../catalogue/caches.ts";

const MAX_CLIENTS = 4096;
const POLLS_ALLOWED = 2;

/** Facts about a request and its answer, for judging a client's conduct. */
export interface ObservedExchange {
  /** The account, or a hash of refused credentials. */
  readonly client: string;
  /** Request target. */
  readonly target: string;
  /** Method. */
  readonly method: string;
  /** Status of the answer. */
  readonly status: number;
  /** `Retry-After` of the answer. */
  readonly retryAfterSeconds: number | null;
  /** True if the wait applies to the whole account rather than to this target. */
  readonly accountWide: boolean;
  /** Entity tag of the returned score set or file, else `null`. */
  readonly etag: string | null;
  /** True if the answer to this target never changes: for `at` and `snapshot_id`. */
  readonly immutable: boolean;
  /** Download allowances spent: 0 or 1. */
  readonly spentDownloads: number;
  /** Arrival of the request. */
  readonly arrived: TwoTimes;
  /** Delivery of its answer. */
  readonly ended: TwoTimes;
}

/** A moment in real time and by the server's clock; epoch milliseconds. */
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
 * Detects clients that retry before `Retry-After`, repeat a refused key, or request known data again.
 *
 * A wait ends when it has passed in real time or by the server's clock, so that tests can move the clock instead of sleeping.
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
    // A request sent before the refusal was delivered does not count.
    if (passed >= wait.seconds || realMs < wait.since.realMs) return null;
    const early = (wait.seconds - passed).toFixed(1);
    return `retried ${early} s too early: Retry-After was ${wait.seconds} s`;
  }

  #refusedKey(exchange: ObservedExchange): string | null {
    if (exchange.status !== 401) return null;
    const repeated = this.#refusedKeys.get(exchange.client) !== undefined;
    return repeated ? "repeated a refused key, but a 401 must not be retried unchanged" : null;
  }

  #needless(exchange: ObservedExchange): string | null {
    const { etag, immutable, spentDownloads } = exchange;
    if (etag === null) return null;
    const given = this.#given.get(givenKey(exchange));
    if (given?.etag !== etag) return null;
    if (spentDownloads > 0) {
      return "downloaded the same file again; HEAD would have spent no download";
    }
    if (immutable) return "requested an immutable set again";
    if (given.times < POLLS_ALLOWED) return null;
    return `polled too often: ${given.times} equal answers; checks are hourly`;
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
