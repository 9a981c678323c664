import { installLine } from "../../../base/runtime/command_line.ts";
import { broken, type DoctorFinding, good } from "./finding.ts";
import type { Machine } from "./machine.ts";

// Oldest version that can load the package.
const OLDEST = "2.9.0";
const TESTED = "2.9.6";
const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi"] as const;

/** Checks the runtime's version and permissions, and the native package that makes frames. */
export async function examineRuntime(machine: Machine): Promise<readonly DoctorFinding[]> {
  const { denoVersion } = machine;
  if (denoVersion === null) {
    return [broken("runtime", "not Deno", `run the command under Deno: npx --yes deno@${TESTED}`)];
  }
  return [versionOf(denoVersion), await permissionsOf(machine), await framesOf()];
}

function versionOf(version: string): DoctorFinding {
  const found = `Deno ${version}`;
  const order = version.localeCompare(OLDEST, "en", { numeric: true });
  return order < 0
    ? broken("runtime", found, `expected Deno ${OLDEST} or later; run deno upgrade`)
    : good("runtime", found);
}

async function permissionsOf({ hasPermission }: Machine): Promise<DoctorFinding> {
  const given = await Promise.all(PERMISSIONS.map(hasPermission));
  const missing = PERMISSIONS.filter((_, i) => !given[i]);
  if (missing.length === 0) return good("permissions", PERMISSIONS.join(", "));
  const remedy = "run Deno with -A; the Jupyter kernel has all permissions";
  return broken("permissions", `${missing.join(", ")} not given`, remedy);
}

async function framesOf(): Promise<DoctorFinding> {
  try {
    const { default: pl } = await import("nodejs-polars");
    return good(
      "frames",
      `nodejs-polars works (${pl.DataFrame({ a: [1, 2] }).height} rows tried)`,
    );
  } catch (error) {
    const remedy = `run ${installLine()} in the folder of the project`;
    return broken("frames", `nodejs-polars cannot be loaded: "${firstLine(error)}"`, remedy);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 200);
}
