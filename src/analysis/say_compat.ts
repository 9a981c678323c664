import { sayNotice } from "../frames/notebook/kernel/say_notice.ts";

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
