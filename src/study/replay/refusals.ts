import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant } from "../../base/contract/instant.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { FetchFunction } from "../../client/transport/wire/sender.ts";
import type { LockedAbsence } from "../lock/lock.ts";

/** An entry that a frozen study lacks. */
export interface MissingEntry {
  /** The attempted action, worded to follow "Cannot". */
  readonly action: string;
  /** The entry that the lock lacks. */
  readonly entry: string;
  /** Description of the nearest entry of the same kind; `null` if there is none. */
  readonly nearest: string | null;
}

/** The error of a frozen study for an entry that its lock lacks. */
export function frozenError(folder: string, missing: MissingEntry): ScoreframeError {
  const { action, entry, nearest } = missing;
  return new ScoreframeError(
    `Cannot ${action}: expected ${entry} in the lock of the frozen study ${folder}, got ` +
      `${nearest === null ? "none of that kind" : `${nearest} as the nearest one`}; ` +
      "a run with SCOREFRAME_STUDY_MODE=auto loads and adds it",
  );
}

/** The known instant nearest to another one; `null` if none is known. */
export function nearestInstant(at: Instant, known: readonly Instant[]): Instant | null {
  const way = (other: Instant) => Math.abs(epochMsOf(other) - epochMsOf(at));
  return known.reduce<Instant | null>(
    (best, other) => best === null || way(other) < way(best) ? other : best,
    null,
  );
}

/** The error of a request for something after the study's time. */
export function lookAheadError(
  asked: { readonly action: string; readonly what: string; readonly at: Instant },
  asOf: Instant,
): ScoreframeError {
  return new ScoreframeError(
    `Cannot ${asked.action}: expected data known at the study's time ${asOf}, got ${asked.what} ` +
      `${asked.at}; use an earlier one, or move the study with: ${commandLine()} study update`,
  );
}

/** Description of a view, for the nearest entry of an error. */
export function viewWords(factor: Factor, at: Instant): string {
  return `the ${factor} view at ${at}`;
}

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
      return Promise.reject(new TypeError("a replay sends nothing, and the store lacks it"));
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
