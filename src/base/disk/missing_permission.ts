const REFUSAL = /^Requires (\w+) access(?: to (.+?))?, run again with the (--allow-\w+) flag/s;
// Longer than any path or host.
const MAX_TARGET = 300;

/**
 * Description of a missing Deno permission, worded to follow "Cannot …: "; `null` for any other error. Retrying does not
 * help.
 */
export function missingPermission(error: unknown): string | null {
  if (!(error instanceof Error) || error.name !== "NotCapable") return null;
  const [, , target, flag] = REFUSAL.exec(error.message) ?? [];
  const remedy = "add it to the flags of deno run, or use -A";
  if (flag === undefined) {
    return `expected a permission of Deno, got "${error.message.slice(0, MAX_TARGET)}"; ${remedy}`;
  }
  const place = target === undefined ? "" : ` for ${target.slice(0, MAX_TARGET)}`;
  return `expected the permission ${flag}${place}, got none; ${remedy}`;
}
