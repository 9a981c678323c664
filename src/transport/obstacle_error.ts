import { instantOf } from "../contract/instant.ts";
import { WaitError } from "../errors.ts";
import type { BudgetObstacle, HoldObstacle } from "./admission.ts";

/** What the caller had allowed. */
export interface Allowed {
  /** Waiting in total. */
  readonly maxWaitMs: number;
  /** Requests of the day that are left to others. */
  readonly reserve: number;
}

const CODE: Readonly<Record<BudgetObstacle["kind"], string>> = {
  minute: "rate_limit_exceeded",
  day: "daily_limit_exceeded",
  reserve: "daily_limit_exceeded",
  download: "download_limit_exceeded",
};

/** The error for a request that was not sent, because the account may not send it soon enough. */
export function obstacleError(
  action: string,
  obstacle: BudgetObstacle | HoldObstacle,
  allowed: Allowed,
): WaitError {
  const retryAtMs = Math.ceil(obstacle.untilMs);
  const { status, code } = obstacle.kind === "hold"
    ? obstacle.hold
    : { status: 429, code: CODE[obstacle.kind] };
  const message =
    `Cannot ${action}: ${reasonOf(obstacle, allowed)} until ${instantOf(retryAtMs)}, ` +
    `nothing was sent; ${adviceFor(obstacle, allowed)}`;
  return new WaitError(message, { status, code, requestId: null, retryAtMs });
}

function reasonOf(obstacle: BudgetObstacle | HoldObstacle, allowed: Allowed): string {
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

function adviceFor(obstacle: BudgetObstacle | HoldObstacle, allowed: Allowed): string {
  if (obstacle.kind === "minute" || obstacle.kind === "hold") {
    return `try again then, or allow a longer wait than maxWaitMs ${allowed.maxWaitMs}`;
  }
  if (obstacle.kind === "reserve") return "try again then, or lower reserve";
  return "what the store holds can still be loaded";
}
