/** Facts about a failed attempt that decide about a retry. */
export interface FailedAttempt {
  /** HTTP status, or `null` if no answer arrived. */
  readonly status: number | null;
  /** Machine-readable error code, if the answer had one. */
  readonly code: string | null;
  /** `retryable` of the error object; `null` without one. */
  readonly retryable: boolean | null;
  /** Earliest time that the service allows, epoch milliseconds; `null` if it gave none. */
  readonly retryAtMs: number | null;
  /** Downloads left today according to the answer; `null` if it does not report them. */
  readonly downloadsLeft: number | null;
}

/** Circumstances of a decision. */
export interface RetryCircumstances {
  /** True if starting the request spends a download. */
  readonly spendsDownload: boolean;
  /** Attempts so far, at least 1. */
  readonly attempts: number;
  /** Attempts allowed after the first. */
  readonly maxRetries: number;
  /** Remaining waiting of the call. */
  readonly waitLeftMs: number;
  /** The time now, epoch milliseconds. */
  readonly nowMs: number;
  /** A number in [0, 1), for the jitter. */
  readonly random: number;
  /**
   * True if the service's clock stands still, so that its minute never ends.
   *
   * @default false
   */
  readonly isClockStopped?: boolean;
}

/** Decision on another attempt: its time, or the reason against it. */
export type RetryPlan =
  | { readonly retry: true; readonly atMs: number }
  | { readonly retry: false; readonly because: NoRetryReason };

/** Reason why a request is not tried again. */
export type NoRetryReason = "final" | "download" | "daily" | "stopped" | "attempts" | "wait";

// Daily limits end at midnight UTC; a cell should not sleep until then, even if midnight is near.
const DAILY_CODES: readonly string[] = ["daily_limit_exceeded", "download_limit_exceeded"];
const RETRIED_STATUSES: readonly number[] = [408, 429, 503];
// Shortest wait of the service (section 4.1), also used where it gives none.
const SHORTEST_DELAY_MS = 1_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const JITTER_AFTER_HOLD_MS = 250;

/**
 * Decides if and when a failed attempt is repeated: never sooner than the service allows, after a second and full jitter if it
 * gives no time, and never beyond the call's remaining waiting.
 *
 * A refusal because of another running download spends nothing: it counts as waiting, not as an attempt.
 *
 * @see API document, sections 7 and 8
 */
export function planRetry(failed: FailedAttempt, circumstances: RetryCircumstances): RetryPlan {
  const { attempts, waitLeftMs, nowMs, random } = circumstances;
  if (!isTemporary(failed)) return { retry: false, because: "final" };
  const { code, downloadsLeft } = failed;
  // One code has two meanings (section 7): with downloads left today, another download is running.
  const isSlotTaken = code === "download_limit_exceeded" && downloadsLeft !== null &&
    downloadsLeft > 0;
  const because = isSlotTaken ? null : reasonAgainst(failed, circumstances);
  if (because !== null) return { retry: false, because };
  const longestMs = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** (attempts - 1));
  const earliestMs = Math.max(failed.retryAtMs ?? 0, isSlotTaken ? nowMs + longestMs : 0);
  const atMs = earliestMs === 0
    ? nowMs + SHORTEST_DELAY_MS + random * longestMs
    : Math.max(nowMs, earliestMs) + random * JITTER_AFTER_HOLD_MS;
  if (atMs - nowMs > waitLeftMs) return { retry: false, because: "wait" };
  return { retry: true, atMs };
}

function reasonAgainst(
  { code }: FailedAttempt,
  { spendsDownload, attempts, maxRetries, isClockStopped = false }: RetryCircumstances,
): NoRetryReason | null {
  if (isClockStopped && code === "rate_limit_exceeded") return "stopped";
  if (code !== null && DAILY_CODES.includes(code)) return "daily";
  if (spendsDownload) return "download";
  return attempts > maxRetries ? "attempts" : null;
}

function isTemporary(failed: FailedAttempt): boolean {
  if (failed.retryable === false) return false;
  return failed.status === null || RETRIED_STATUSES.includes(failed.status);
}
