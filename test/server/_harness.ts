import process from "node:process";
import { relaysBefore } from "../desk/relay/_relays_before.ts";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  createScoreServer,
  type ScoreServer,
  type ScoreServerOptions,
} from "../../src/server/mod.ts";
import {
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
} from "../helpers/fixture_store.ts";

// `test/desk/relay/rules.test.ts` runs the tests of this folder with relays in front of their servers.
const IS_RELAYED = process.env["SCOREFRAME_TEST_RELAY"] === "1";

/** The two ways to reach a server; what makes sense over both is tested over both. */
export const WAYS = ["in process", "over a socket"] as const;

/** One of them. */
export type Way = (typeof WAYS)[number];

/** A key that may do everything, in the tests' main account. */
export const KEY = "svc_test_full_access_0001";

/** The accounts of most tests. */
export const ACCOUNTS: ScoreServerOptions["accounts"] = [
  {
    id: "main",
    factors: ["ecpnd", "ecqdi"],
    keys: [
      { key: KEY },
      { key: "svc_test_second_key_0002" },
      { key: "svc_test_revoked_00003", revoked: true },
      { key: "svc_test_expiring_0004", expiresAt: "2026-11-20T15:30:00Z" },
      { key: "svc_test_only_factors_5", scopes: ["factors"] },
      { key: "svc_test_only_scores_06", scopes: ["scores"] },
      { key: "svc_test_only_history_7", scopes: ["history"] },
      { key: "svc_live_production_08" },
      // SHA-256 of svc_test_known_by_hash.
      { sha256: "a11ca235e4c216f44b060d4b08e715c1df6897a645dbd08d4242f356cff1b332" },
    ],
  },
  { id: "pnd", factors: ["ecpnd"], keys: [{ key: "svc_test_licensed_ecpnd" }] },
  { id: "qdi", factors: ["ecqdi"], keys: [{ key: "svc_test_licensed_ecqdi" }] },
  { id: "none", factors: [], keys: [{ key: "svc_test_no_subscription" }] },
  {
    id: "period",
    factors: [{ factor: "ecpnd", from: "2026-11-20T14:00:00Z", until: "2026-11-20T16:00:00Z" }],
    keys: [{ key: "svc_test_access_period" }],
  },
];

/** A server under test, standing at 2026-11-20T15:00:00Z. */
export interface TestServer {
  readonly server: ScoreServer;
  /** Sends a request; with the full key unless told otherwise (`null` sends none). */
  get(path: string, options?: SendOptions): Promise<Response>;
}

/** How a test request differs from a GET with the full key. */
export interface SendOptions {
  readonly key?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: BodyInit;
}

/** Provides a fixture store for a file and servers over it that are closed after each test. */
export function useServers(fixtureOptions: FixtureOptions = {}): {
  readonly fixture: () => FixtureStore;
  readonly start: (way: Way, options?: Partial<ScoreServerOptions>) => Promise<TestServer>;
} {
  let fixture: FixtureStore;
  const open: ScoreServer[] = [];
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    fixture = await makeFixtureStore(fixtureOptions);
  });
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
    await Promise.all(open.splice(0).map((server) => server.close()));
  });
  afterAll(() => fixture.remove());
  const start = async (way: Way, options: Partial<ScoreServerOptions> = {}) => {
    const server = createScoreServer({ store: fixture.store, accounts: ACCOUNTS, ...options });
    open.push(server);
    server.clock.set("2026-11-20T15:00:00Z");
    const served = IS_RELAYED
      ? await relaysBefore(server, { accounts: ACCOUNTS, ...options })
      : server;
    if (served !== server) closing.push(() => served.close());
    const base = way === "in process" ? "http://scores.test" : (await served.listen()).url;
    const send = way === "in process" ? (request: Request) => served.fetch(request) : fetch;
    return {
      server,
      get: (path: string, sent: SendOptions = {}) => send(toRequest(`${base}${path}`, sent)),
    };
  };
  return { fixture: () => fixture, start };
}

function toRequest(url: string, options: SendOptions): Request {
  const { key = KEY, method = "GET", body } = options;
  const headers = new Headers(options.headers);
  if (key !== null) headers.set("Authorization", `Bearer ${key}`);
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body }) });
}
