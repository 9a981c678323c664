import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  return () => rm(folder, { recursive: true, force: true });
}
