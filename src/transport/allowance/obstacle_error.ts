import { instantOf } from "../../contract/instant.ts";
import { LIMITS } from "../../contract/limits.ts";
import { WaitError } from "../../errors.ts";
import { isSlotObstacle, type Obstacle, type SlotObstacle } from "./admission.ts";

/** What the caller had allowed. */
export interface Allowed {
  /** Waiting in total. */
  readonly maxWaitMs: number;
  /** Requests of the day that are left to others. */
  readonly reserve: number;
}

const CODE: Readonly<Record<Exclude<Obstacle["kind"], "hold">, string>> = {
  minute: "rate_limit_exceeded",
  day: "daily_limit_exceeded",
  reserve: "daily_limit_exceeded",
  download: "download_limit_exceeded",
  slot: "concurrent_request_limit",
  "download-slot": "download_limit_exceeded",
};

/** The error for a request that was not sent, because the account may not send it soon enough. */
export function obstacleError(action: string, obstacle: Obstacle, allowed: Allowed): WaitError {
  const retryAtMs = isSlotObstacle(obstacle) ? null : Math.ceil(obstacle.untilMs);
  const { status, code } = obstacle.kind === "hold"
    ? obstacle.hold
    : { status: 429, code: CODE[obstacle.kind] };
  const until = retryAtMs === null ? "" : ` until ${instantOf(retryAtMs)}`;
  const message = `Cannot ${action}: ${obstacleWords(obstacle, allowed)}${until}, ` +
    `nothing was sent; ${adviceFor(obstacle, allowed)}`;
  return new WaitError(message, { status, code, requestId: null, retryAtMs });
}

/** What has no free place, in words: all requests at once, or the one download. */
export function slotWords({ kind }: SlotObstacle): string {
  if (kind === "download-slot") {
    return "the account's one download at a time is running, here or in another notebook";
  }
  return `the account's ${LIMITS.concurrentRequests} requests at a time are in flight, here or in ` +
    "other notebooks";
}

/** What keeps a request back, in words. */
export function obstacleWords(obstacle: Obstacle, allowed: Pick<Allowed, "reserve">): string {
  if (isSlotObstacle(obstacle)) return slotWords(obstacle);
  if (obstacle.kind === "hold") {
    const { status, code } = obstacle.hold;
    return `the service asked with ${[status, code].join(" ").trim()} not to be called`;
  }
  const { limit, remaining } = obstacle;
  if (obstacle.kind === "reserve") {
    return `${remaining} of the day's ${limit} requests are left and ` +
      `${allowed.reserve} are reserved for others`;
  }
  const window = obstacle.kind === "minute" ? "minute" : "day";
  const unit = obstacle.kind === "download" ? "file downloads" : "requests";
  return `all of the account's ${limit} ${unit} of the ${window} are spent`;
}

function adviceFor(obstacle: Obstacle, allowed: Allowed): string {
  const { maxWaitMs } = allowed;
  if (isSlotObstacle(obstacle)) {
    return `try again when one has ended, or allow a longer wait than maxWaitMs ${maxWaitMs}`;
  }
  if (obstacle.kind === "minute" || obstacle.kind === "hold") {
    return `try again then, or allow a longer wait than maxWaitMs ${maxWaitMs}`;
  }
  if (obstacle.kind === "reserve") return "try again then, or lower reserve";
  return "what the store holds can still be loaded";
}
