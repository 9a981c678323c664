/** Clock and random numbers, injected so that tests and embedded servers control them. */
export interface Clock {
  /** The time now, epoch milliseconds. */
  readonly now: () => number;
  /** Waits; throws the signal's reason if it is aborted first. */
  readonly sleep: (waitMs: number, signal?: AbortSignal) => Promise<void>;
  /** A number in [0, 1), for the jitter of retries. */
  readonly random: () => number;
}

// A longer timer would fire at once, because the platform's timers have 32 bits.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits for any length with the platform's timers, unless the signal is aborted first. */
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
