// Polars is native code (ffi, and sys for its processor); the store needs read and write, the key env, the service net.
const NEEDED = ["ffi", "read", "write", "env", "sys", "net"] as const;

assertPermissions((name) => Deno.permissions.querySync({ name }).state);

/**
 * Refuses a process that cannot load Polars with one line, before Deno asks for one permission after another.
 *
 * Only `ffi` decides: Deno shows a permission that is granted in part (`--allow-net=localhost`) as one that is not
 * granted.
 *
 * @param stateOf State of a permission according to `Deno.permissions`
 * @throws {Error} With the permissions that are needed, and what to run instead
 */
export function assertPermissions(stateOf: (name: typeof NEEDED[number]) => string): void {
  if (stateOf("ffi") === "granted") return;
  const given = NEEDED.filter((name) => stateOf(name) === "granted");
  throw new Error(
    `Cannot load scoreframe: expected the permissions ${NEEDED.join(", ")}, ` +
      `got ${given.length === 0 ? "none of them" : given.join(", ")}; use \`deno run -A\``,
  );
}
