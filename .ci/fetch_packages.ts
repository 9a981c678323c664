/**
 * Fetches the packages that a task needs, as they are locked: `deno run -A .ci/fetch_packages.ts [--tools]`.
 *
 * Without `--tools` these are the packages of the library; with it also vitest and whatever else only tests and checks
 * need. Deno would fetch all of them before any task, and print a line for each.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const ROOT = join(import.meta.dirname!, "..");

try {
  // An older Deno does not know the options below.
  await import("../src/base/runtime/require_deno.ts");
  process.exitCode = fetchPackages(process.argv.includes("--tools"));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function fetchPackages(withTools: boolean): number {
  const isFirst = !existsSync(join(ROOT, "node_modules"));
  const what = withTools ? "the library's packages, and those of tests and checks" : "packages";
  if (isFirst) process.stderr.write(`Fetching ${what}, this time only: up to a minute\n`);
  const { status, error } = spawnSync(
    Deno.execPath(),
    ["install", "--quiet", ...lockOf(withTools)],
    {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  if (error !== undefined) throw error;
  return status ?? 1;
}

/** An install removes what its lock file does not name, so that tools which are there are asked for again. */
function lockOf(withTools: boolean): readonly string[] {
  const hasTools = existsSync(join(ROOT, "node_modules/vitest"));
  // .ci/library.lock has no binaries for musl.
  const isMusl = Deno.build.env === "musl";
  if (withTools || hasTools || isMusl) return ["--frozen"];
  return ["--prod", "--frozen", `--lock=${join(ROOT, ".ci/library.lock")}`];
}
