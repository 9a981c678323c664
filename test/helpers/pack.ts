import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { inject } from "vitest";
import "./run_folder.ts";
import { ROOT } from "./source_files.ts";

/** Packs this repository into a file. */
export async function pack(tarball: string): Promise<void> {
  const args = ["run", "-A", join(ROOT, ".ci/pack.ts"), tarball];
  await promisify(execFile)(Deno.execPath(), args, { cwd: ROOT });
}

/** The packed repository, packed once in a run: the first file that asks packs, the others wait. */
export async function packedOnce(): Promise<string> {
  const folder = inject("runFolder");
  const [tarball, packing] = [join(folder, "scoreframe.tgz"), join(folder, "packing")];
  while (!existsSync(tarball)) {
    const mine = await mkdir(packing).then(() => true, () => false);
    if (!mine) await wait(100);
    else {
      try {
        const unfinished = join(packing, "scoreframe.tgz");
        await pack(unfinished);
        await rename(unfinished, tarball);
      } finally {
        await rm(packing, { recursive: true, force: true });
      }
    }
  }
  return tarball;
}
