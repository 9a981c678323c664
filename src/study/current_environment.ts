import process from "node:process";
import { polarsVersion } from "../frames/frame/polars_version.ts";
import { PACKAGE_VERSION } from "../base/contract/limits.ts";
import type { LockedEnvironment } from "./lock/lock.ts";

/** Versions of the package, runtime and Polars in this process. */
export async function currentEnvironment(): Promise<LockedEnvironment> {
  const { deno, node } = process.versions;
  const runtime = deno === undefined ? `node ${node}` : `deno ${deno}`;
  return { scoreframe: PACKAGE_VERSION, runtime, polars: await polarsVersion() };
}
