import type { KeyEnvironment } from "../contract/key.ts";
import { LIMITS } from "../contract/limits.ts";
import type { Store } from "../store/store.ts";
import { AccountBook, type AccountSpec } from "./accounts.ts";
import { Catalogue } from "./catalogue.ts";
import { ServerClock } from "./clock.ts";
import { fromFetchRequest, toFetchResponse } from "./fetch_adapter.ts";
import { type FrontTimes, listenHttp } from "./front/http_front.ts";
import { answer, type PipelineParts } from "./pipeline.ts";
import { QuotaGate } from "./quota_gate.ts";
import type { Refusal } from "./refusal.ts";
import { ReplyWriter } from "./reply_writer.ts";
import { ScoreRepresentations } from "./score_representations.ts";
import { UsageLedger } from "./usage_ledger.ts";

/** How a server is made. */
export interface ScoreServerOptions {
  /** What is served: a world, or what a client recorded. */
  readonly store: Store;
  /** Accounts with their keys and licences. */
  readonly accounts: readonly AccountSpec[];
  /**
   * The time that the server's clock runs with, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Folder in which spent allowances survive a restart; without one they are kept in memory.
   *
   * @default none
   */
  readonly state?: string;
  /**
   * Which keys work: `svc_test_` with the sandbox, `svc_live_` with production.
   *
   * @default "sandbox"
   */
  readonly environment?: KeyEnvironment;
  /**
   * Deadlines, for tests that cannot wait for those of section 8.
   *
   * @default the API document's
   */
  readonly times?: Partial<ServerTimes>;
}

/** The deadlines of a server. */
export interface ServerTimes extends FrontTimes {
  /** Processing of one request. @default 15000 */
  readonly requestDeadlineMs: number;
}

/** Where a server listens. */
export interface ListenOptions {
  /** Port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Address. @default "127.0.0.1" */
  readonly hostname?: string;
}

/** A server that listens. */
export interface ScoreListener {
  /** Base address, without a slash at the end. */
  readonly url: string;
  /** Port that was taken. */
  readonly port: number;
  /** Stops taking requests, lets those in flight finish, and closes. */
  close(): Promise<void>;
}

const TIMES: ServerTimes = {
  requestDeadlineMs: LIMITS.requestDeadlineMs,
  transferDeadlineMs: LIMITS.transferDeadlineMs,
  idleTimeoutMs: LIMITS.transferIdleMs,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  keepAliveMs: 5_000,
};

/** The whole Research Factor Score API over a store: in process through `fetch`, or listening on a socket. */
export class ScoreServer {
  /** The time by which the server judges everything. */
  readonly clock: ServerClock;
  readonly #parts: PipelineParts;
  readonly #times: ServerTimes;
  readonly #ledger: UsageLedger;
  readonly #listeners = new Set<ScoreListener>();

  /** @param options What to serve, to whom, and by which time */
  constructor(options: ScoreServerOptions) {
    this.clock = new ServerClock(options.now ?? Date.now);
    this.#times = { ...TIMES, ...options.times };
    this.#ledger = new UsageLedger(options.state ?? null);
    this.#parts = {
      accounts: new AccountBook(options.accounts, this.clock.nowMs()),
      catalogue: new Catalogue(options.store),
      representations: new ScoreRepresentations(),
      quotas: new QuotaGate(this.#ledger),
      clock: this.clock,
      environment: options.environment ?? "sandbox",
      synthetic: options.store.info.synthetic,
      requestDeadlineMs: this.#times.requestDeadlineMs,
    };
  }

  /** Answers a request in process, without a socket; may be passed around without its object. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const reply = await answer(this.#parts, await fromFetchRequest(request));
    return toFetchResponse(reply);
  };

  /** Listens on a socket; several listeners share accounts, clock and allowances. */
  async listen(options: ListenOptions = {}): Promise<ScoreListener> {
    const { port = 0, hostname = "127.0.0.1" } = options;
    const listening = await listenHttp({
      answer: (request) => answer(this.#parts, request),
      refuse: (refusal) => this.#refuse(refusal),
    }, { port, hostname, times: this.#times });
    const listener: ScoreListener = {
      url: `http://${hostname}:${listening.port}`,
      port: listening.port,
      close: async () => {
        this.#listeners.delete(listener);
        await listening.close();
      },
    };
    this.#listeners.add(listener);
    return listener;
  }

  /** Closes every listener and the state; requests in flight finish first. */
  async close(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    this.#ledger.close();
  }

  #refuse(refusal: Refusal) {
    const { synthetic } = this.#parts;
    const writer = new ReplyWriter({ nowMs: this.clock.nowMs(), method: "GET", synthetic });
    return writer.refused(refusal, null);
  }
}

/**
 * Makes an embedded server: the whole API over a local store.
 *
 * @example
 * ```ts
 * import { createScoreServer } from "scoreframe/server";
 * import { buildWorld } from "scoreframe/world";
 *
 * const world = await buildWorld(await Deno.makeTempDir());
 * const server = createScoreServer({
 *   store: world.store,
 *   accounts: [{ id: "a", factors: ["ecpnd"], keys: [{ key: "svc_test_example" }] }],
 * });
 * server.clock.set("2026-11-20T15:00:00Z");
 * const response = await server.fetch(
 *   new Request("http://scores/v1/scores?ticker=A", {
 *     headers: { Authorization: "Bearer svc_test_example" },
 *   }),
 * );
 * ```
 */
export function createScoreServer(options: ScoreServerOptions): ScoreServer {
  return new ScoreServer(options);
}
