import { ShownPromise } from "../../notebook/shown_promise.ts";
import type { Allowance } from "./allowance.ts";

const MEMBERS = ["minute", "day", "download", "inFlight", "heldUntil"] as const;

/** The promise of an allowance: a notebook shows the table, and a budget that is read too early says to await it. */
export function allowancePromise(read: () => Allowance | Promise<Allowance>): Promise<Allowance> {
  return new ShownPromise(Promise.resolve().then(read), {
    what: "an allowance",
    write: "const { day } = await api.allowance()",
    members: MEMBERS,
  });
}
