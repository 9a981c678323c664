import { ShownPromise } from "../notebook/shown_promise.ts";
import type { FactorApi } from "./factor_api.ts";

// What is called first of a connection that was not awaited.
const VERBS = [
  ...["factors", "scores", "history", "publications", "panel", "releases", "plan", "allowance"],
  ...["watch", "log", "help", "store", "close"],
] as const;

/**
 * The promise of a connection: a notebook shows the connection, and a verb that is called too early says to await it.
 *
 * @param promise The connection
 * @param write How it is awaited
 */
export function apiPromise(promise: Promise<FactorApi>, write: string): Promise<FactorApi> {
  return new ShownPromise(promise, { what: "a connection", write, members: VERBS });
}
