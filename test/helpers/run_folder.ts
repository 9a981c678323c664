import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder that the files of one run share. */
    runFolder: string;
  }
}

/** Makes a folder that the files of one run share, and removes it after the run. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-run-"));
  provide("runFolder", folder);
  // A study records looks at hold-outs there.
  process.env["XDG_STATE_HOME"] ??= join(folder, "state");
  return () => rm(folder, { recursive: true, force: true });
}
