import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/client/connect.ts";
import type { ConnectOptions } from "../../src/client/connect_options.ts";
import type { FactorApi } from "../../src/client/factor_api.ts";
import { type AccountSpec, createScoreServer, type ScoreServer } from "../../src/server/mod.ts";
import {
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
} from "../helpers/fixture_store.ts";

/** The key of the account that has everything. */
export const KEY = "svc_test_client0123456789";

/** Five seconds after the last check of the fixture. */
export const NOW = "2026-11-20T15:00:05.000Z";

/** Tests of the client talk to a real server over the fixture, in process, with one clock for both. */
export interface Service {
  /** The server. */
  readonly server: ScoreServer;
  /** What it serves. */
  readonly fixture: FixtureStore;
  /** Requests that reached the server, as method and path with query. */
  readonly requests: Request[];
  /** The time of both, epoch milliseconds; may be moved. */
  clock: { ms: number };
  /** The server's `fetch`, which also notes what it was asked. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A new connection with an empty store, closed with the service. */
  connect(options?: ConnectOptions): Promise<FactorApi>;
  /** A new connection over the network, with store and ledger of its own. */
  connectTo(baseUrl: string, options?: ConnectOptions): Promise<FactorApi>;
  /** A new empty folder, removed with the service. */
  makeFolder(): Promise<string>;
  /** Closes and removes everything. */
  close(): Promise<void>;
}

/** What differs from the plain service. */
export interface ServiceOptions extends FixtureOptions {
  /** Accounts instead of the one with {@link KEY}. */
  readonly accounts?: readonly AccountSpec[];
}

/** Starts a service. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const fixture = await makeFixtureStore(options);
  const clock = { ms: Date.parse(NOW) };
  const accounts = options.accounts ??
    [{ id: "client", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }] } as const];
  const server = createScoreServer({ store: fixture.store, accounts, now: () => clock.ms });
  const requests: Request[] = [];
  const opened: FactorApi[] = [];
  const folders: string[] = [];
  const fetch = (request: Request) => {
    requests.push(request);
    return server.fetch(request);
  };
  const now = () => clock.ms;
  const sleep = (waitMs: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    clock.ms += waitMs;
    return Promise.resolve();
  };
  const open = async (given: ConnectOptions) => {
    const api = await connect({ apiKey: KEY, now, sleep, random: () => 0, ...given });
    opened.push(api);
    return api;
  };
  const makeFolder = async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-client-"));
    folders.push(folder);
    return folder;
  };
  return {
    server,
    fixture,
    requests,
    clock,
    fetch,
    connect: (given = {}) => open({ fetch, ...given }),
    connectTo: async (baseUrl, given = {}) =>
      open({ baseUrl, cacheDir: await makeFolder(), ...given }),
    makeFolder,
    async close() {
      for (const api of opened) await api.close();
      await server.close();
      await fixture.remove();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Method, path and query of a request. */
export function pathOf(request: Request): string {
  const { pathname, search } = new URL(request.url);
  return `${request.method} ${pathname}${search}`;
}
