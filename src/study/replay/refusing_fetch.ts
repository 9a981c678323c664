import type { FetchFunction } from "../../client/transport/wire/fetch_sender.ts";
import type { LockedAbsence } from "../lock/lock.ts";

/**
 * A `fetch` for replays, which sends nothing.
 *
 * A view before the first publication gets the recorded answer of the service, because a store holds only what was
 * published; any other request fails.
 */
export function refusingFetch(absences: () => readonly LockedAbsence[]): FetchFunction {
  return (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [factor, at] = [searchParams.get("factor"), searchParams.get("at")];
    const isAbsent = pathname === "/v1/scores" && at !== null &&
      absences().some((known) => known.factor === factor && Date.parse(at) <= Date.parse(known.at));
    if (!isAbsent) {
      return Promise.reject(
        new TypeError("a replay sends nothing, and the store lacks it"),
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
