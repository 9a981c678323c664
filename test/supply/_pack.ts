import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../helpers/source_files.ts";

/** Packs this repository into a file. */
export async function pack(tarball: string): Promise<void> {
  const args = ["run", "-A", join(ROOT, ".ci/pack.ts"), tarball];
  await promisify(execFile)(Deno.execPath(), args, { cwd: ROOT });
}
