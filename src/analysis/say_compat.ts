import { describe } from "../base/contract/violation.ts";
import { sayNotice } from "../frames/notebook/kernel/say_notice.ts";

/**
 * Refuses anything but a known value of `compat`.
 *
 * @throws {TypeError} If it is given and is not `"alphalens"`
 */
export function assertCompat(action: string, compat: unknown): void {
  if (compat === undefined || compat === "alphalens") return;
  throw new TypeError(
    `Cannot ${action}: expected compat to be "alphalens", got ${describe(compat)}`,
  );
}

const said = new Set<string>();

/**
 * Says in one line what `compat: "alphalens"` does in a function; nothing without it, and each line once a program.
 *
 * @param compat The option that the function was given
 * @param what The function and its differences
 */
export function sayCompat(compat: "alphalens" | undefined, what: string): void {
  if (compat === undefined || said.has(what)) return;
  said.add(what);
  sayNotice(`compat: "alphalens" in ${what}`);
}
