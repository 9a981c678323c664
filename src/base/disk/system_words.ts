import { constants } from "node:os";

/**
 * Message and code of an error of the operating system; `null` for any other error.
 *
 * Deno has no code for some system errors, such as quotas and lost network shares: `UNKNOWN` in `node:fs`, none elsewhere. Their
 * number tells which they are.
 */
export function systemWords(
  error: unknown,
): { readonly message: string; readonly code: string | null } | null {
  if (!(error instanceof Error)) return null;
  // Deno names the call and the path once more at the end.
  const message = error.message.replace(/(\(os error \d+\)): \w+ '.*'$/, "$1");
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return { message, code };
  const number = /\(os error (\d+)\)/.exec(message)?.[1] ?? Reflect.get(error, "errno");
  if (number === undefined || (code !== "UNKNOWN" && !/\(os error \d+\)$/.test(message))) {
    return null;
  }
  const found = Object.entries(constants.errno).find(([, value]) =>
    value === Math.abs(Number(number))
  );
  const name = found?.[0] ?? null;
  return { message: message.replace(/^UNKNOWN\b/, name ?? "UNKNOWN"), code: name };
}
