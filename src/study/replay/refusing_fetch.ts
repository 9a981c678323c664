import type { FetchFunction } from "../../transport/wire/fetch_sender.ts";
import type { LockedAbsence } from "../lock/lock.ts";

/**
 * What stands for the network of a replay: it sends nothing.
 *
 * A view before the first publication gets the answer that the service gave once, because a store holds what was
 * published and not what was not; anything else fails.
 */
export function refusingFetch(absences: () => readonly LockedAbsence[]): FetchFunction {
  return (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [factor, at] = [searchParams.get("factor"), searchParams.get("at")];
    const isAbsent = pathname === "/v1/scores" && at !== null &&
      absences().some((known) => known.factor === factor && Date.parse(at) <= Date.parse(known.at));
    if (!isAbsent) {
      return Promise.reject(
        new TypeError("a replay sends nothing, and the store does not have it"),
      );
    }
    const body = {
      error: "score_snapshot_not_available",
      message: "nothing was published by then",
      request_id: crypto.randomUUID(),
      retryable: false,
      details: { proved: true },
    };
    return Promise.resolve(Response.json(body, { status: 404 }));
  };
}
