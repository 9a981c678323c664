import type { Clock } from "./clock.ts";

/** A wait long enough to notify the user. */
export interface LongWait {
  /** Its end, epoch milliseconds of this machine; `null` if it depends on other requests. */
  readonly untilMs: number | null;
  /** Its start, if its end is unknown. */
  readonly sinceMs?: number;
  /** Why, in words. */
  readonly because: string;
}

/** Called with a long wait; may return a function to call at its end. */
export type HearWait = (wait: LongWait) => (() => void) | void;

/** Options of a wait. */
export interface WaitOptions {
  /** Why, in words. */
  readonly because: string;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /**
   * Called with a long wait before it begins.
   *
   * @default none
   */
  readonly onWait?: HearWait | undefined;
}

// A shorter one looks like a slow network.
const LONG_WAIT_MS = 3_000;

/** True if a wait is long enough to notify the user. */
export function isLong(waitMs: number): boolean {
  return waitMs >= LONG_WAIT_MS;
}

/** Waits, and reports a wait of three seconds or more before it begins. */
export async function waitAloud(clock: Clock, waitMs: number, options: WaitOptions): Promise<void> {
  const { because, signal, onWait } = options;
  const ended = isLong(waitMs) ? onWait?.({ untilMs: clock.now() + waitMs, because }) : undefined;
  try {
    await clock.sleep(waitMs, signal);
  } finally {
    ended?.();
  }
}
