import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isCode } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import type { Partition } from "./state.ts";

/** A difference between the file of a partition and its state, worded to follow "expected"; `null` if there is none. */
export async function damageOf(
  folder: string,
  { path, bytes, sha256 }: Pick<Partition, "path" | "bytes" | "sha256">,
): Promise<string | null> {
  const file = join(folder, path);
  const size = await stat(file).then((status) => status.size, (error) => {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  });
  if (size === null) return "a file, got none";
  if (size !== bytes) return `${bytes} bytes, got ${size}`;
  const found = (await hashFile(file)).sha256;
  return found === sha256 ? null : `the SHA-256 ${sha256}, got ${found}`;
}
