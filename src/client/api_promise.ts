import { ShownPromise } from "../frames/notebook/shown_promise.ts";
import type { FactorApi } from "./factor_api.ts";

// Members that are usually called first on a connection that was not awaited.
const VERBS = [
  ...["factors", "scores", "history", "publications", "panel", "releases", "plan", "allowance"],
  ...["watch", "log", "help", "store", "close"],
] as const;

/**
 * Promise of a connection: a notebook displays the connection, and a verb called before `await` throws an error that says so.
 *
 * @param promise The connection
 * @param write Example with `await`
 */
export function apiPromise(promise: Promise<FactorApi>, write: string): Promise<FactorApi> {
  return new ShownPromise(promise, { what: "a connection", write, members: VERBS });
}
