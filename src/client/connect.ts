import type { ConnectOptions } from "./connect_options.ts";
import type { FactorApi } from "./factor_api.ts";
import { ShownPromise } from "../frames/notebook/shown_promise.ts";

// Members that are usually called first on a connection that was not awaited.
const VERBS = [
  ...["factors", "scores", "history", "publications", "panel", "releases", "plan", "allowance"],
  ...["watch", "log", "help", "store", "close"],
] as const;

/**
 * Connects to the service with the key of an account, without sending a request.
 *
 * With `offline: true`, or `SCOREFRAME_OFFLINE=1` in the environment, nothing is ever sent: the store answers what it proves,
 * and anything else is a `TransportError` that lists what the store has.
 *
 * @param options Key, address, store and time limits; omitted options come from the environment or have a default
 * @returns The loading verbs
 * @throws {TypeError} If an option does not exist, or its value has another type
 * @throws {StorageError} If the folder of the store cannot be used
 * @throws {TypeError} If key or address are missing or do not fit each other; the message says what to do
 * @see API document, section 5
 * @example
 * ```ts
 * import { connect } from "scoreframe";
 *
 * const api = await connect({
 *   apiKey: "svc_test_example",
 *   fetch: () => Promise.resolve(Response.json({ factors: [] })),
 * });
 * const factors = await api.factors();
 * if (factors.height !== 0) throw new Error("no factors expected");
 * await api.close();
 * ```
 */
export function connect(options: ConnectOptions = {}): Promise<FactorApi> {
  return apiPromise(open(options), "const api = await connect()");
}

async function open(options: ConnectOptions): Promise<FactorApi> {
  // A static import would load half of the library with every entry point.
  const { openConnection } = await import("./open_connection.ts");
  return await openConnection(options);
}

/**
 * Promise of a connection: a notebook displays the connection, and a verb called before `await` throws an error that says so.
 *
 * @param promise The connection
 * @param write Example with `await`
 */
export function apiPromise(promise: Promise<FactorApi>, write: string): Promise<FactorApi> {
  return new ShownPromise(promise, { what: "a connection", write, members: VERBS });
}
