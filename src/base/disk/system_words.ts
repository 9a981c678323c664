/**
 * Message and code of an error of the operating system; `null` for any other error.
 *
 * Deno has no code for some system errors: limits on file size, quotas.
 */
export function systemWords(
  error: unknown,
): { readonly message: string; readonly code: string | null } | null {
  if (!(error instanceof Error)) return null;
  // Deno names the call and the path once more at the end.
  const message = error.message.replace(/(\(os error \d+\)): \w+ '.*'$/, "$1");
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return { message, code };
  return /\(os error \d+\)$/.test(message) ? { message, code: null } : null;
}
