import type { Clock } from "./clock.ts";

/** A wait that somebody would wonder about. */
export interface LongWait {
  /** When it ends, epoch milliseconds of this machine. */
  readonly untilMs: number;
  /** Why, in words. */
  readonly because: string;
}

/** How a wait is made. */
export interface WaitOptions {
  /** Why, in words. */
  readonly because: string;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /**
   * Told of a long wait before it begins.
   *
   * @default nobody is told
   */
  readonly onWait?: ((wait: LongWait) => void) | undefined;
}

// Anybody takes a shorter one for a slow network.
const LONG_WAIT_MS = 3_000;

/** Waits, and tells of a wait of three seconds or more before it begins. */
export async function waitAloud(clock: Clock, waitMs: number, options: WaitOptions): Promise<void> {
  const { because, signal, onWait } = options;
  if (waitMs >= LONG_WAIT_MS) onWait?.({ untilMs: clock.now() + waitMs, because });
  await clock.sleep(waitMs, signal);
}
