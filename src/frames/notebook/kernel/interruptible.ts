import { describe } from "../../../base/contract/violation.ts";
import { watchInterrupt } from "./interrupt.ts";

// The platform fires a longer timer at once.
const MAX_MS = 2 ** 31 - 1;

/**
 * Lets the stop button of a notebook end a wait. Without it the kernel continues to wait or, if no connection is open, ends
 * with all its variables.
 *
 * Only the wait ends; the work of the promise continues. The stop button cannot end code that never waits, such as `while
 * (true)`; restart the kernel. Outside a notebook the promise is awaited as usual.
 *
 * @param promise Promise to await
 * @returns The value of the promise
 * @throws {TypeError} If it is not a promise
 * @throws {DOMException} Named `AbortError`, if the stop button was pressed
 * @example
 * ```ts
 * import { interruptible } from "scoreframe";
 *
 * const text = await interruptible(Promise.resolve("done"));
 * if (text !== "done") throw new Error("the value of the promise expected");
 * ```
 */
export async function interruptible<Value>(promise: PromiseLike<Value>): Promise<Value> {
  if (typeof (promise as { then?: unknown } | null | undefined)?.then !== "function") {
    throw new TypeError(`Cannot wait: expected a promise, got ${describe(promise)}`);
  }
  const interrupt = watchInterrupt();
  const { signal } = interrupt;
  try {
    return await new Promise<Value>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      promise.then(resolve, reject);
    });
  } finally {
    interrupt.dispose();
  }
}

/**
 * Waits; the stop button of a notebook ends the wait.
 *
 * @param ms Duration in milliseconds, at most 24 days
 * @throws {DOMException} Named `AbortError`, if the stop button was pressed
 * @throws {RangeError} If `ms` is not a number from 0 to 2147483647
 * @example
 * ```ts
 * import { sleep } from "scoreframe";
 *
 * await sleep(10);
 * ```
 */
export async function sleep(ms: number): Promise<void> {
  if (!(typeof ms === "number" && ms >= 0 && ms <= MAX_MS)) {
    throw new RangeError(
      `Cannot sleep: expected milliseconds from 0 to ${MAX_MS}, got ${describe(ms)}`,
    );
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await interruptible(new Promise((resolve) => timer = setTimeout(resolve, ms)));
  } finally {
    clearTimeout(timer);
  }
}
