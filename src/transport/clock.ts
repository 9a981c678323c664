/** Time and chance, given from outside so that a test or an embedded server decides about them. */
export interface Clock {
  /** The time now, epoch milliseconds. */
  readonly now: () => number;
  /** Waits, unless the signal is aborted first: then it throws the signal's reason. */
  readonly sleep: (waitMs: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
}

// A longer timer would fire at once: the platform's timers count in 32 bits.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits by the platform's timer, for any length, unless the signal is aborted first. */
export async function delay(waitMs: number, signal?: AbortSignal): Promise<void> {
  let leftMs = waitMs;
  while (leftMs > 0) {
    const partMs = Math.min(leftMs, LONGEST_TIMER_MS);
    await sleepPart(partMs, signal);
    leftMs -= partMs;
  }
  signal?.throwIfAborted();
}

function sleepPart(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, waitMs);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
