import { Buffer } from "node:buffer";
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
const LOST = `what else was edited is not known, ${WITHOUT}`;

/** Says which files of an imported study were edited or removed since it was exported, unless a problem names them. */
export async function verifyManifest(folder: string, found: Findings): Promise<void> {
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  if (text === null) return await noteLostManifest(folder, found);
  for (const [path, sha256] of readManifest(text, found)) {
    if (path === LOCK_FILE || found.problems.some((problem) => problem.path === path)) continue;
    const bytes = await readFile(join(folder, path)).catch(() => null);
    if (bytes === null) {
      const why = STORE.test(path) ? "the rest of the store proves what the lock says" : WITHOUT;
      found.note(path, `removed since the study was exported: harmless, ${why}`);
    } else if (
      !STORE.test(path) && !isExported(bytes, sha256)
    ) found.note(path, `edited since the study was exported: ${WITHOUT}`);
  }
}

function readManifest(text: string, found: Findings): ReadonlyMap<string, string> {
  try {
    return parseManifest(text);
  } catch {
    found.note(MANIFEST, `edited since the study was exported: ${LOST}`);
    return new Map();
  }
}

// Git may have given a text the line ends of another system.
function isExported(bytes: Buffer, sha256: string): boolean {
  const hashOf = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
  return hashOf(bytes) === sha256 ||
    hashOf(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1")) === sha256;
}

async function noteLostManifest(folder: string, found: Findings): Promise<void> {
  for (const name of [CELLS_FILE, CRATE_METADATA]) {
    if (!await access(join(folder, name)).then(() => true, () => false)) continue;
    return found.note(MANIFEST, `removed since the study was exported: ${LOST}`);
  }
}
