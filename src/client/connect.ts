import { apiPromise } from "./api_promise.ts";
import type { ConnectOptions } from "./connect_options.ts";
import type { FactorApi } from "./factor_api.ts";

/**
 * Connects to the service with the key of an account. Nothing is sent yet.
 *
 * With `offline: true`, or `SCOREFRAME_OFFLINE=1` in the environment, nothing is sent at all: the store answers what it
 * proves, and anything else is a `TransportError` that says what the store has.
 *
 * @param options Key, address, store, patience; what is left out comes from the environment or has a default
 * @returns The loading verbs
 * @throws {TypeError} If an option is unknown, or has a value of another kind
 * @throws {StorageError} If the folder of the store cannot be used
 * @throws {TypeError} If there is no key or no address, or they do not fit each other; the message says what to do
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
  // Half of what a connection is made of would otherwise load with the first import of anything.
  const { openConnection } = await import("./open_connection.ts");
  return await openConnection(options);
}
