import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import type { Factor } from "../../../src/base/contract/factor.ts";
import { Relay } from "../../../src/desk/relay/relay.ts";
import type { RelayOptions } from "../../../src/desk/relay/relay_options.ts";
import {
  createScoreServer,
  type JournalEntry,
  type ScoreServer,
  type ScoreServerOptions,
} from "../../../src/server/mod.ts";
import {
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
} from "../../helpers/fixture_store.ts";

/** The key of the account behind the relay. */
export const ACCOUNT_KEY = "svc_test_full_access_0001";

/** A relay under test, with the service behind it, which stands at 2026-11-20T15:00:00Z. */
export interface TestRelay {
  readonly relay: Relay;
  readonly service: ScoreServer;
  /** Folder of store, state and ledger. */
  readonly folder: string;
  /** Requests that the service saw. */
  seen(): readonly string[];
  /** Entries of the service's journal. */
  entries(): readonly JournalEntry[];
  /** Key of a user, who is added first. */
  add(
    name: string,
    limits?: {
      requests?: number;
      downloads?: number;
      admin?: boolean;
      factors?: readonly Factor[];
    },
  ): Promise<string>;
  /** Sends a request to the relay; with the key of a user "ann" unless told otherwise. */
  get(path: string, options?: SendOptions): Promise<Response>;
  /** Closes the relay, and opens it again over the same folders. */
  reopen(options?: Partial<RelayOptions>): Promise<void>;
  /** Sends nothing on to the service, as if its machine were off. */
  cut(isCut: boolean): void;
}

/** How a test request differs from a GET of ann's. */
export interface SendOptions {
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** What a test relay is made of. */
export interface TestRelayOptions {
  readonly relay?: Partial<RelayOptions>;
  readonly service?: Partial<ScoreServerOptions>;
  /** Answers in place of the service; called with what would be sent to it. */
  readonly around?: (
    request: Request,
    next: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
}

/** Provides relays in front of an embedded service that are closed after each test. */
export function useRelays(fixtureOptions: FixtureOptions = {}): {
  readonly fixture: () => FixtureStore;
  readonly start: (options?: TestRelayOptions) => Promise<TestRelay>;
} {
  let fixture: FixtureStore;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    fixture = await makeFixtureStore(fixtureOptions);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(() => fixture.remove());
  const start = async (options: TestRelayOptions = {}) => {
    const [relay, close] = await startRelay(fixture, options);
    closing.push(close);
    return relay;
  };
  return { fixture: () => fixture, start };
}

async function startRelay(
  fixture: FixtureStore,
  { relay: relayOptions = {}, service: serviceOptions = {}, around }: TestRelayOptions,
): Promise<[TestRelay, () => Promise<void>]> {
  const service = createScoreServer({
    store: fixture.store,
    accounts: [{ id: "desk", factors: ["ecpnd", "ecqdi"], keys: [{ key: ACCOUNT_KEY }] }],
    ...serviceOptions,
  });
  service.clock.set("2026-11-20T15:00:00Z");
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-relay-"));
  let isCut = false;
  const next = (request: Request) => service.fetch(request);
  const open = (more: Partial<RelayOptions> = {}) =>
    Relay.open({
      store: join(folder, "store"),
      state: join(folder, "state"),
      cacheDir: join(folder, "cache"),
      apiKey: ACCOUNT_KEY,
      baseUrl: "http://service.test",
      environment: {},
      now: () => service.clock.nowMs(),
      // Waiting takes the time of the service's clock, so that no test sleeps.
      sleep: (ms) => Promise.resolve(service.clock.advance(ms)),
      random: () => 0,
      fetch: (request) => {
        if (isCut) return Promise.reject(new TypeError("the machine is off"));
        return around === undefined ? next(request) : around(request, next);
      },
      ...relayOptions,
      ...more,
    });
  let current = await open();
  let ann: string | null = null;
  const add: TestRelay["add"] = (name, limits = {}) =>
    current.users.add({ name, ...{ requests: null, downloads: null, admin: false }, ...limits }, {
      environment: "sandbox",
      now: service.clock.now(),
    });
  const entries = () => service.journal.entries;
  const test: TestRelay = {
    get relay() {
      return current;
    },
    ...{ service, folder, add, entries },
    seen: () => entries().map(({ method, target }) => `${method} ${target}`),
    async get(path, { key, method = "GET", headers, signal } = {}) {
      if (key === undefined) ann ??= await add("ann");
      const sent = new Headers(headers);
      const shown = key === undefined ? ann : key;
      if (shown !== null) sent.set("Authorization", `Bearer ${shown}`);
      return await current.fetch(
        new Request(`http://relay.test${path}`, {
          method,
          headers: sent,
          ...(signal && { signal }),
        }),
      );
    },
    async reopen(more) {
      await current.close();
      current = await open(more);
    },
    cut: (value) => void (isCut = value),
  };
  const close = async () => {
    await current.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
  return [test, close];
}
