import { ShownPromise } from "../../frames/notebook/shown_promise.ts";
import type { Allowance } from "./allowance.ts";

const MEMBERS = ["minute", "day", "download", "inFlight", "heldUntil"] as const;

/** Promise of an allowance: a notebook displays the table, and a budget read before `await` throws an error that says so. */
export function allowancePromise(read: () => Allowance | Promise<Allowance>): Promise<Allowance> {
  return new ShownPromise(Promise.resolve().then(read), {
    what: "an allowance",
    write: "const { day } = await api.allowance()",
    members: MEMBERS,
  });
}
