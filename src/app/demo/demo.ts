import { apiPromise } from "../../client/connect.ts";
import type { FactorApi } from "../../client/factor_api.ts";
import { delay } from "../../client/transport/clock.ts";
import type { DemoOptions } from "./start_demo.ts";

/**
 * Connects to an embedded server over a synthetic world: the whole service, without a key and without a network. It is never
 * chosen silently, and every row says `synthetic` in its `source` column.
 *
 * Score sets can be loaded from 2026-05-30 on, with hourly checks over about 120 sessions; the connection displays the span,
 * and `hours` and `end` select another one. The server's clock stands still at 2026-11-20T15:00:00Z, the end of the world, so
 * that an example shows the same numbers each time; no check is ever due, so `watch()` waits forever. With `rate` the clock
 * runs, and a waiting client follows it. A demo's account may spend the day's 10,000 requests in one minute; everything else is
 * as in the API document. World and store are temporary; with `folder` the world is kept there.
 *
 * Building takes about a second, and shows a progress bar after half a second.
 *
 * @param options Contents of the world
 * @returns The same verbs as `connect()` gives
 * @throws {TypeError} If an option does not exist, or its value has another type
 * @throws {RangeError} If a number is out of range
 * @throws {StorageError} If the folder cannot be written, or contains other files
 * @example
 * ```ts
 * import { demo } from "scoreframe";
 * import assert from "node:assert/strict";
 *
 * const api = await demo();
 * const scores = await api.scores("ecpnd");
 * assert.equal(scores.columns[0], "ticker");
 * ```
 */
export function demo(options: DemoOptions = {}): Promise<FactorApi> {
  return apiPromise(start(options), "const api = await demo()");
}

async function start(options: DemoOptions): Promise<FactorApi> {
  // Loaded here, so that a program that only connects to the service loads neither server nor world.
  const [{ openConnection }, { aboutDemo, startDemo }] = await Promise.all([
    import("../../client/open_connection.ts"),
    import("./start_demo.ts"),
  ]);
  const started = await startDemo(options);
  const { server, apiKey } = started;
  const { rate = 0 } = options;
  const connection = {
    apiKey,
    baseUrl: "http://localhost",
    fetch: server.fetch,
    now: () => server.clock.nowMs(),
    sleep: (waitMs: number, signal?: AbortSignal) =>
      delay(rate > 0 ? waitMs / rate : waitMs, signal),
  };
  return await openConnection(connection, aboutDemo(started));
}
