import { afterEach, beforeEach } from "vitest";
import { repeatLastCheck } from "../../src/server/engine/made_checks.ts";
import {
  createScoreServer,
  type ScoreServer,
  type ScoreServerOptions,
} from "../../src/server/mod.ts";
import { type FixtureStore, makeFixtureStore } from "../helpers/fixture_store.ts";
import { ACCOUNTS, KEY, type Way } from "./_harness.ts";

/** A server that goes on past its store's last check, asked at one instant after the other. */
export class MovingServer {
  /** The store, made anew for each test. */
  fixture!: FixtureStore;
  /** The server that was started last. */
  server!: ScoreServer;
  readonly #way: Way;

  constructor(way: Way) {
    this.#way = way;
  }

  /** Starts the server; unless told otherwise it repeats the last check of its store. */
  start(options: Partial<ScoreServerOptions> = {}): void {
    const { store } = this.fixture;
    const checks = repeatLastCheck(store);
    this.server = createScoreServer({ store, accounts: ACCOUNTS, checks, ...options });
  }

  /** Sets the clock and sends a request. */
  async getAt(instant: string, path = "/v1/scores", key = KEY): Promise<Response> {
    this.server.clock.set(instant);
    const headers = { Authorization: `Bearer ${key}` };
    if (this.#way === "in process") {
      return await this.server.fetch(new Request(`http://x${path}`, { headers }));
    }
    const listener = await this.server.listen();
    const response = await fetch(listener.url + path, { headers });
    const body = await response.text();
    await listener.close();
    return new Response(body, response);
  }

  /** The JSON of the answer at an instant. */
  // deno-lint-ignore no-explicit-any -- tests read what the wire holds
  async setAt(instant: string, path = "/v1/scores"): Promise<any> {
    return await (await this.getAt(instant, path)).json();
  }
}

/** Provides a moving server to the tests of a describe block. */
export function useMovingServer(way: Way): MovingServer {
  const moving = new MovingServer(way);
  beforeEach(async () => {
    moving.fixture = await makeFixtureStore();
  });
  afterEach(async () => {
    await moving.server.close();
    await moving.fixture.remove();
  });
  return moving;
}
