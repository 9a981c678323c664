import { createHash } from "node:crypto";
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCK_FILE } from "../lock/lock.ts";
import { CELLS_FILE } from "../run/cell_record.ts";
import { CRATE_METADATA } from "../share/describe_crate.ts";
import { MANIFEST, parseManifest } from "../share/manifest.ts";
import type { Findings } from "./findings.ts";

// The lock and the store are compared with each other.
const STORE = /^store\//;
const WITHOUT = "no number of the lock depends on it";

/** Says which files of an imported study were edited or removed since it was exported, unless a problem names them. */
export async function verifyManifest(folder: string, found: Findings): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  if (text === null) return await noteLostManifest(folder, found);
  for (const [path, sha256] of parseManifest(text)) {
    if (path === LOCK_FILE || found.problems.some((problem) => problem.path === path)) continue;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) {
      const why = STORE.test(path) ? "the rest of the store proves what the lock says" : WITHOUT;
      found.note(path, `removed since the study was exported: harmless, ${why}`);
    } else if (
      !STORE.test(path) && createHash("sha256").update(bytes).digest("hex") !== sha256
    ) found.note(path, `edited since the study was exported: ${WITHOUT}`);
  }
}

async function noteLostManifest(folder: string, found: Findings): Promise<void> {
  for (const name of [CELLS_FILE, CRATE_METADATA]) {
    if (!await access(join(folder, name)).then(() => true, () => false)) continue;
    const lost = "removed since the study was exported: what else was edited is not known";
    return found.note(MANIFEST, `${lost}, ${WITHOUT}`);
  }
}
