import { type InterruptOptions, watchInterrupt } from "./interrupt.ts";

/**
 * Makes a wait end with the stop button of a notebook: its kernel would wait on, and without a listener would end with
 * all its variables.
 *
 * What the promise stands for goes on unless it is stopped in its own way; only the wait ends. Code that never waits,
 * such as `while (true)`, cannot be ended by the stop button: restart the kernel. Outside a notebook it is the promise
 * itself that is waited for.
 *
 * @param promise What is waited for
 * @returns What the promise gives
 * @throws {DOMException} Named `AbortError`, if the stop button was pressed
 * @example
 * ```ts
 * import { interruptible } from "scoreframe";
 *
 * const text = await interruptible(Promise.resolve("done"));
 * if (text !== "done") throw new Error("the value of the promise expected");
 * ```
 */
export async function interruptible<Value>(
  promise: PromiseLike<Value>,
  options: InterruptOptions = {},
): Promise<Value> {
  const interrupt = watchInterrupt(options);
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
