import type { FactorApi } from "../client/factor_api.ts";
import { sleep } from "../transport/clock.ts";
import type { DemoOptions } from "./start_demo.ts";

/**
 * Connects to an embedded server over a synthetic world: everything of the service, without a key and without the
 * network. It is never chosen silently, and every row says `synthetic` in its `source` column.
 *
 * The server's clock stands still at 2026-11-20T15:00:00Z, the end of the world, so that an example shows the same
 * numbers each time: no check is ever due, so that `watch()` waits for ever. With `rate` time passes, for who waits as
 * well. A demo's account may spend its 10,000 requests of the day in one minute; everything else is as in
 * the API document. World and store are temporary; with `folder` the world stays there.
 *
 * @param options What the world is made of
 * @returns The same verbs as `connect()` gives
 * @throws {TypeError} If an option does not exist, or its value is of another kind
 * @throws {StorageError} If the folder cannot be written
 * @throws {RangeError} If a number is out of range, or the folder holds something else
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
export async function demo(options: DemoOptions = {}): Promise<FactorApi> {
  // Loaded here, so that who only connects to the service loads neither server nor world.
  const [{ connect }, { startDemo }] = await Promise.all([
    import("../client/connect.ts"),
    import("./start_demo.ts"),
  ]);
  const { server, apiKey } = await startDemo(options);
  const { rate = 0 } = options;
  return await connect({
    apiKey,
    baseUrl: "http://localhost",
    fetch: server.fetch,
    now: () => server.clock.nowMs(),
    sleep: (waitMs, signal) => sleep(rate > 0 ? waitMs / rate : waitMs, signal),
  });
}
