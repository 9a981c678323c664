/** Outcome of an attempt, as far as a retry depends on it. */
export interface FailedAttempt {
  /** HTTP status, or `null` if no answer arrived. */
  readonly status: number | null;
  /** Machine-readable error code, if the answer had one. */
  readonly code: string | null;
  /** The error object's word on it; `null` if there was none. */
  readonly retryable: boolean | null;
  /** The earliest time that the service allows, epoch milliseconds; `null` if it named none. */
  readonly retryAtMs: number | null;
  /** Downloads that the answer says are left today; `null` if it does not tell. */
  readonly downloadsLeft: number | null;
}

/** The circumstances of a decision. */
export interface RetryCircumstances {
  /** True if the request spends a download once it is started. */
  readonly spendsDownload: boolean;
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  /** Attempts allowed after the first. */
  readonly maxRetries: number;
  /** Waiting that is left to the call. */
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

/** Why a request is not tried again. */
export type NoRetryReason = "final" | "download" | "daily" | "stopped" | "attempts" | "wait";

// Daily limits end at midnight UTC: a cell should not sleep until then, even if midnight is near.
const DAILY_CODES: readonly string[] = ["daily_limit_exceeded", "download_limit_exceeded"];
const RETRIED_STATUSES: readonly number[] = [408, 429, 503];
// The shortest wait that the service ever names (section 4.1); where it names none, nothing shorter is a wait.
const SHORTEST_DELAY_MS = 1_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
const JITTER_AFTER_HOLD_MS = 250;

/**
 * Decides whether a failed attempt is made again, and when: never sooner than the service allows, after a second and
 * full jitter where it names no time, and never beyond the waiting that the caller has left.
 *
 * Waiting for the account's one download to end elsewhere is waiting and no attempt: such a refusal spends nothing.
 *
 * @see API document, sections 7 and 8
 */
export function planRetry(failed: FailedAttempt, circumstances: RetryCircumstances): RetryPlan {
  const { attempts, waitLeftMs, nowMs, random } = circumstances;
  if (!isTemporary(failed)) return { retry: false, because: "final" };
  const isSlotTaken = isDownloadRunning(failed);
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

// One code for two limits (section 7): with downloads left today it is the one download at a time.
function isDownloadRunning({ code, downloadsLeft }: FailedAttempt): boolean {
  return code === "download_limit_exceeded" && downloadsLeft !== null && downloadsLeft > 0;
}

function isTemporary(failed: FailedAttempt): boolean {
  if (failed.retryable === false) return false;
  return failed.status === null || RETRIED_STATUSES.includes(failed.status);
}
