// Oldest tested version of Deno; older ones lack parts of Temporal, SQLite and the kernel.
const OLDEST = "2.9.0";

assertDeno(globalThis);

/**
 * Refuses a runtime other than Deno, and a Deno that is too old, with one line.
 *
 * @param scope Global scope of the runtime, `globalThis`
 * @throws {Error} With the runtime that was found, and what to run instead
 */
export function assertDeno(scope: object): void {
  const version = versionOf(scope);
  if (version !== null && !isOlder(version, OLDEST)) return;
  const found = version === null ? "another runtime" : `Deno ${version}`;
  throw new Error(
    `Cannot load scoreframe: expected Deno ${OLDEST} or later, got ${found}; ` +
      "run it with `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`, or `deno upgrade`",
  );
}

function versionOf(scope: object): string | null {
  const { Deno: deno } = scope as { readonly Deno?: { readonly version?: { deno?: unknown } } };
  return typeof deno?.version?.deno === "string" ? deno.version.deno : null;
}

function isOlder(version: string, oldest: string): boolean {
  const [found, wanted] = [version, oldest].map((text) => text.split(/[.+-]/).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (found?.[i] ?? 0) - (wanted?.[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
