import process from "node:process";
import { polarsVersion } from "../frame/polars_version.ts";
import { VERSION } from "../transport/wire/version.ts";
import type { LockedEnvironment } from "./lock/lock.ts";

/** What this process would make a study with. */
export async function currentEnvironment(): Promise<LockedEnvironment> {
  const { deno, node } = process.versions;
  const runtime = deno === undefined ? `node ${node}` : `deno ${deno}`;
  return { scoreframe: VERSION, runtime, polars: await polarsVersion() };
}
