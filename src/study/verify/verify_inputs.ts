import { join } from "node:path";
import { hashFile } from "../../base/disk/hash_file.ts";
import { factLine, LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import type { Findings } from "./findings.ts";

/** Compares each input of a study with its line in the lock. */
export async function verifyInputs(
  folder: string,
  { inputs }: StudyLock,
  found: Findings,
): Promise<void> {
  for (const input of inputs) {
    const file = await hashFile(join(folder, input.path)).catch((error: Error) => error);
    if (file instanceof Error) {
      const isMissing = "code" in file && file.code === "ENOENT";
      found.problem(
        input.path,
        isMissing
          ? "the lock has this input, but its file is missing: ask its author for it, because an export may leave it out"
          : `the lock has this input, but its file cannot be read: "${file.message}"`,
      );
      continue;
    }
    const fact = { path: input.path, ...file };
    if (factLine(fact) === factLine(input)) continue;
    found.problem(
      input.path,
      `expected the file as pinned, ${factLine(input)} in ${LOCK_FILE}, got ${factLine(fact)}`,
    );
  }
}
