import { anyFunction, checkOptions } from "../../base/arguments/check_options.ts";

/**
 * Options of {@link askKey}.
 *
 * @internal
 */
export interface AskKeyOptions {
  /**
   * Asks for one line of text without showing it; returns `null` if there is no one to answer.
   * @default the masked `prompt` of a notebook or a terminal
   */
  readonly ask?: (message: string) => string | null;
}

/**
 * Asks for an API key with masked input, so that the key is neither in a cell nor in its output.
 *
 * @param message Question above the field
 * @returns The key without surrounding blanks, or `null` if nothing was typed or there is no one to answer (nbconvert)
 * @example
 * ```ts
 * import { askKey } from "scoreframe";
 * import assert from "node:assert/strict";
 *
 * const apiKey = askKey("API key", { ask: () => " svc_test_example " });
 * assert.equal(apiKey, "svc_test_example");
 * ```
 */
export function askKey(message = "API key", options: AskKeyOptions = {}): string | null {
  checkOptions("ask for a key", options, { ask: anyFunction() });
  const { ask = askMasked } = options;
  const answer = ask(message)?.trim() ?? "";
  return answer === "" ? null : answer;
}

function askMasked(message: string): string | null {
  // The third argument is Deno's; lib.dom declares two.
  const masked = globalThis.prompt as (
    message: string,
    initial: string,
    options: { readonly password: true },
  ) => string | null;
  return masked(message, "", { password: true });
}
