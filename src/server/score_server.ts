import { listText, wrongKind } from "../base/arguments/list_text.ts";
import { FACTORS } from "../base/contract/factor.ts";
import { describe } from "../base/contract/violation.ts";
import type { CheckSource } from "../base/store/checks/complete_check.ts";
import { Store } from "../base/store/store.ts";
import type { StoreReader } from "../base/store/store_reader.ts";
import { AccountBook, type AccountSpec, withKeyHashes } from "./account/accounts.ts";
import { Catalogue } from "./catalogue/catalogue.ts";
import { CatalogueContents } from "./catalogue/catalogue_contents.ts";
import type { Access, PipelineParts } from "./pipeline/pipeline_parts.ts";
import { ServerClock } from "./timeline/clock.ts";
import { CheckEngine } from "./engine/check_engine.ts";
import { FaultPlan, type FaultRule } from "./faults/fault_plan.ts";
import { Front, type ListenOptions, type ScoreListener } from "./http/front.ts";
import { Journal, type JournalOptions } from "./journal/journal.ts";
import { QuotaGate } from "./account/quota_gate.ts";
import { Dispatcher } from "./pipeline/dispatcher.ts";
import { ReplyWriter } from "./pipeline/reply_writer.ts";
import { ScoreRepresentations } from "./catalogue/score_representations.ts";
import { DEFAULT_TIMES, type ServerTimes } from "./server_times.ts";
import { Timeline, type TimelineEvent } from "./timeline/timeline.ts";
import { UsageLedger } from "./account/usage_ledger.ts";

/** Options of a server. */
export interface ScoreServerOptions {
  /** Contents to serve: a world, or a client's recording. */
  readonly store: StoreReader;
  /** Accounts with their keys and licences. */
  readonly accounts: readonly AccountSpec[];
  /**
   * Clock that the server's clock runs with, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Time of the server's clock, which stands still there unless a rate is given.
   *
   * @default the time of `now`, running with it
   */
  readonly clock?: { readonly at: string; readonly rate?: number };
  /**
   * Folder in which spent allowances survive a restart; by default they are kept in memory.
   *
   * @default none
   */
  readonly state?: string;
  /**
   * Environment of the keys: `svc_test_` with the sandbox, `svc_live_` with production.
   *
   * @default "sandbox"
   */
  readonly environment?: "production" | "sandbox";
  /**
   * Source of hourly checks; the server completes each check when its clock reaches the hour, and stores it. Without it the
   * store is served as it is.
   *
   * @default none
   */
  readonly checks?: CheckSource;
  /**
   * Events of the service, by its clock.
   *
   * @default nothing
   */
  readonly timeline?: readonly TimelineEvent[];
  /**
   * Injected faults.
   *
   * @default none
   */
  readonly faults?: readonly FaultRule[];
  /**
   * Seed for faults with a probability.
   *
   * @default 7
   */
  readonly seed?: number;
  /** Options of the request journal. */
  readonly journal?: JournalOptions;
  /**
   * Deadlines; tests use shorter ones than section 8.
   *
   * @default the API document's
   */
  readonly times?: Partial<ServerTimes>;
}

const DEFAULT_SEED = 7;

/** Serves the whole Research Factor Score API from a store: in process through `fetch`, or on a socket. */
export class ScoreServer {
  /** Clock of the server. */
  readonly clock: ServerClock;
  /** Requests, with account, cost and answer. */
  readonly journal: Journal;
  /** Injected faults; they can be added and cleared while the server runs. */
  readonly faults: FaultPlan;
  readonly #accounts: readonly AccountSpec[];
  readonly #engine: CheckEngine | null;
  readonly #events: TimelineEvent[];
  readonly #ledger: UsageLedger;
  readonly #front: Front;
  readonly #madeAtMs: number;
  #accountBook: AccountBook;
  #timeline: Timeline;

  /**
   * Creates a server, without listening.
   *
   * @param options Contents, accounts and clock
   */
  constructor(options: ScoreServerOptions) {
    assertServed(options);
    const { store, checks, now = Date.now, environment = "sandbox" } = options;
    this.clock = new ServerClock(now);
    if (options.clock !== undefined) this.clock.set(options.clock.at, options.clock);
    this.#madeAtMs = this.clock.nowMs();
    this.journal = new Journal(options.journal);
    this.faults = new FaultPlan(options.faults ?? [], options.seed ?? DEFAULT_SEED);
    for (const event of options.timeline ?? []) assertKnownAccount(event, options.accounts);
    this.#events = [...options.timeline ?? []];
    this.#timeline = new Timeline(this.#events);
    this.#accounts = options.accounts.map(withKeyHashes);
    this.#accountBook = this.#makeAccountBook();
    const times = { ...DEFAULT_TIMES, ...options.times };
    this.#ledger = new UsageLedger(options.state ?? null);
    const timeline = () => this.#timeline;
    this.#engine = checks === undefined
      ? null
      : new CheckEngine({ store: Store.of(store), source: checks, timeline });
    const catalogue = new Catalogue(store, timeline, { goesOn: checks !== undefined });
    const contents = new CatalogueContents(catalogue);
    const parts: PipelineParts = {
      access: accessOf(() => this.#accountBook),
      contents: () => contents,
      page: () => null,
      representations: new ScoreRepresentations(),
      quotas: new QuotaGate(this.#ledger),
      engine: this.#engine,
      faults: this.faults,
      clock: this.clock,
      writer: new ReplyWriter({
        isSynthetic: () => store.info.synthetic,
        isStopped: () => this.clock.rate === 0,
      }),
      environment,
      requestDeadlineMs: times.requestDeadlineMs,
    };
    const dispatcher = new Dispatcher({ parts, journal: this.journal, realNow: now });
    this.#front = new Front(dispatcher, times);
  }

  /** Answers a request in process, without a socket; may be passed as a function. */
  readonly fetch = (request: Request): Promise<Response> => this.#front.fetch(request);

  /** Listens on a socket; several listeners share accounts, clock and allowances. */
  listen(options: ListenOptions = {}): Promise<ScoreListener> {
    return this.#front.listen(options);
  }

  /**
   * Schedules an event of the service, by its clock.
   *
   * @throws {TypeError} If its account does not exist
   */
  schedule(event: TimelineEvent): void {
    assertKnownAccount(event, this.#accounts);
    this.#events.push(event);
    this.#timeline = new Timeline(this.#events);
    this.#accountBook = this.#makeAccountBook();
  }

  /**
   * Completes every check up to the current time of the clock, instead of with the next request.
   *
   * @throws Error of the source of checks, once those of the other factor are completed
   */
  async completeChecks(): Promise<void> {
    const nowMs = this.clock.nowMs();
    const work = FACTORS.map((factor) => this.#engine?.catchUp(factor, nowMs));
    await Promise.allSettled(work);
    await Promise.all(work);
  }

  /** Closes every listener and the state; requests in flight finish first. */
  async close(): Promise<void> {
    await this.#front.close();
    this.#ledger.close();
  }

  #makeAccountBook(): AccountBook {
    return new AccountBook(this.#accounts, { nowMs: this.#madeAtMs, timeline: this.#timeline });
  }
}

// Licences are known from the accounts.
function accessOf(book: () => AccountBook): Access {
  return { issuer: "service", find: (key) => book().find(key), renew: () => null };
}

function assertKnownAccount(event: TimelineEvent, accounts: readonly AccountSpec[]): void {
  if (!("account" in event) || accounts.some(({ id }) => id === event.account)) return;
  const known = listText(accounts.map(({ id }) => id));
  throw new TypeError(
    `Cannot schedule the ${event.kind}: expected an account of the server, ${known}, got ` +
      describe(event.account),
  );
}

// A notebook has no compiler to report a missing option.
function assertServed(options: unknown): void {
  const { store, accounts } = (options ?? {}) as Partial<ScoreServerOptions>;
  if (store !== undefined && Array.isArray(accounts)) return;
  throw wrongKind("make a server", options, {
    expected: "a store and an array of accounts",
    advice: 'such as { store, accounts: [{ id: "desk", factors: ["ecpnd"], keys: [{ key }] }] }',
  });
}

/**
 * Creates an embedded server: the whole API over a local store.
 *
 * @throws {TypeError} If an account, a key or an event of the timeline is invalid
 * @throws {RangeError} If an account has more than 10 active keys, or a limit or fault is out of range
 * @throws {StorageError} If the state directory cannot be written, or another server uses it
 * @see API document, all sections; test/server/rules.md has every rule with its test
 *
 * @example
 * ```ts
 * import { createScoreServer } from "scoreframe/server";
 * import { buildWorld } from "scoreframe/world";
 *
 * const world = await buildWorld(await Deno.makeTempDir(), { tickers: 20, years: 0.25, hours: 48 });
 * const server = createScoreServer({
 *   store: world.store,
 *   accounts: [{ id: "desk", factors: ["ecpnd"], keys: [{ key: "svc_test_example" }] }],
 * });
 * server.clock.set("2026-11-20T15:00:00Z");
 * const response = await server.fetch(
 *   new Request("http://scores/v1/scores", {
 *     headers: { Authorization: "Bearer svc_test_example" },
 *   }),
 * );
 * console.assert(response.status === 200);
 * console.assert(response.headers.get("X-Factor-Name") === "ecpnd");
 * ```
 */
export function createScoreServer(options: ScoreServerOptions): ScoreServer {
  return new ScoreServer(options);
}
