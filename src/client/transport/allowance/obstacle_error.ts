import { instantOf } from "../../../base/contract/instant.ts";
import { LIMITS } from "../../../base/contract/limits.ts";
import { WaitError } from "../../../base/errors.ts";
import type { Hold } from "./account_state.ts";
import { isPlaceObstacle, type Obstacle, type PlaceObstacle } from "./admission.ts";

/** Limits that the caller set. */
export interface Allowed {
  /** Waiting in total. */
  readonly maxWaitMs: number;
  /** Requests of the day left for others. */
  readonly reserve: number;
  /**
   * True if the service's clock stands still.
   *
   * @default false
   */
  readonly isStopped?: boolean;
}

/** Advice for a service whose clock stands still, where waiting does not help. */
export const STOPPED_ADVICE =
  "the server's clock stands still, so waiting renews no allowance: let it run (--clock-rate 1, demo({ rate: 1 })) " +
  "or restart the server";

const CODE: Readonly<Record<Exclude<Obstacle["kind"], "hold" | "first">, string>> = {
  minute: "rate_limit_exceeded",
  day: "daily_limit_exceeded",
  reserve: "daily_limit_exceeded",
  download: "download_limit_exceeded",
  slot: "concurrent_request_limit",
  "download-slot": "download_limit_exceeded",
};

/** Error for a request that was not sent because the account may not send it soon enough. */
export function obstacleError(action: string, obstacle: Obstacle, allowed: Allowed): WaitError {
  const isUnknown = isPlaceObstacle(obstacle) || allowed.isStopped === true;
  const retryAtMs = isUnknown ? null : Math.ceil(obstacle.untilMs);
  const { status, code } = obstacle.kind === "hold" || obstacle.kind === "first"
    ? obstacle.hold
    : { status: 429, code: CODE[obstacle.kind] };
  const until = retryAtMs === null ? "" : ` until ${instantOf(retryAtMs)}`;
  const message = `Cannot ${action}: ${obstacleWords(obstacle, allowed)}${until}; ` +
    `nothing was sent; ${adviceFor(obstacle, allowed)}`;
  return new WaitError(message, { status, code, requestId: null, retryAtMs });
}

/** Description of requests that block another one. */
export function placeWords(obstacle: PlaceObstacle): string {
  const { kind } = obstacle;
  if (kind === "first") {
    return `another request is retried first after ${nameOf(obstacle.hold)}, and has no answer yet`;
  }
  if (kind === "download-slot") {
    return "the account's only concurrent download is running, here or in another notebook";
  }
  return `all ${LIMITS.concurrentRequests} concurrent requests of the account ` +
    "are in flight, here or in other notebooks";
}

/** Description of an obstacle. */
export function obstacleWords(obstacle: Obstacle, allowed: Pick<Allowed, "reserve">): string {
  if (isPlaceObstacle(obstacle)) return placeWords(obstacle);
  if (obstacle.kind === "hold") {
    return `the service answered ${nameOf(obstacle.hold)} and asked to wait`;
  }
  const { limit, remaining } = obstacle;
  if (obstacle.kind === "reserve") {
    return `${remaining} of the day's ${limit} requests are left, and ${allowed.reserve} are reserved for others`;
  }
  const window = obstacle.kind === "minute" ? "minute" : "day";
  const unit = obstacle.kind === "download" ? "file downloads" : "requests";
  return `all of the account's ${limit} ${unit} of the ${window} are spent`;
}

function nameOf({ status, code }: Hold): string {
  return [status, code].join(" ").trim();
}

function adviceFor(obstacle: Obstacle, allowed: Allowed): string {
  const { maxWaitMs, isStopped = false } = allowed;
  if (isStopped) return STOPPED_ADVICE;
  if (isPlaceObstacle(obstacle)) {
    return `try again when one has ended, or raise maxWaitMs above ${maxWaitMs}`;
  }
  if (obstacle.kind === "minute" || obstacle.kind === "hold") {
    return `try again then, or raise maxWaitMs above ${maxWaitMs}`;
  }
  if (obstacle.kind === "reserve") return "try again then, or lower reserve";
  return "scores in the store can still be loaded";
}
