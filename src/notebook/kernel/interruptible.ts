import { describe } from "../../contract/violation.ts";
import { watchInterrupt } from "./interrupt.ts";

/**
 * Ends a wait at the stop button of a notebook. Without it the kernel goes on waiting or, if no connection is open, ends
 * with all its variables.
 *
 * Only the wait ends; the work behind the promise goes on. Code that never waits,
 * such as `while (true)`, cannot be ended by the stop button: restart the kernel. Outside a notebook the promise itself
 * is awaited.
 *
 * @param promise Awaited promise
 * @returns The value of the promise
 * @throws {TypeError} If it is no promise
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
