import { describe } from "../../../base/contract/violation.ts";
import { interruptible } from "./interruptible.ts";

// The platform fires a longer timer at once.
const MAX_MS = 2 ** 31 - 1;

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
