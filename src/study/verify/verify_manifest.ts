import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isThere, kindOf, readTextFile } from "../../base/disk/files.ts";
import { LAYOUT, sha256Hex } from "../../base/store/layout.ts";
import { parseStoredCheck } from "../../base/store/scores/check_file.ts";
import { parseStoreInfo } from "../../base/store/store_info.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import { hashCheck } from "../numbers/hash_numbers.ts";
import { receiptsOf } from "../verbs/assert_as_locked.ts";
import { CRATE_METADATA } from "../share/describe_crate.ts";
import { listFiles } from "../share/study_files.ts";
import { MANIFEST, parseChecksums, SIGNATURE } from "../share/manifest.ts";
import type { Findings } from "./findings.ts";

// A set that was loaded again may be compressed differently; the lock proves its numbers.
const SETS = /^store\/\w+\/sets\//;
// Files of the store are compared with the lock.
const STORE = /^store\//;
const WITHOUT = "no number of the lock depends on it";
const LOST = `other edits cannot be detected; ${WITHOUT}`;

/** A folder whose files are compared with the manifest of its export. */
export interface VerifiedFolder {
  /** The folder. */
  readonly folder: string;
  /** Its lock. */
  readonly lock: StudyLock;
  /** `true` if the manifest has a valid signature. */
  readonly isSigned: boolean;
}

/** Finds files of an imported study that were edited or removed since the export and are not in a problem already. */
export async function verifyManifest(
  { folder, lock, isSigned }: VerifiedFolder,
  found: Findings,
): Promise<void> {
  const text = await readTextFile(join(folder, MANIFEST)).catch((error: Error) => error);
  if (text instanceof Error) return found.problem(MANIFEST, text.message);
  if (text === null) {
    if (!await isThere(join(folder, CRATE_METADATA))) return;
    return found.note(MANIFEST, `removed since the study was exported: ${LOST}`);
  }
  for (const [path, sha256] of readManifest(text, found)) {
    if (path === LOCK_FILE || found.problems.some((problem) => problem.path === path)) continue;
    const place = join(folder, path);
    const bytes = kindOf(place) === "a file" ? await readFile(place).catch(() => null) : null;
    const isOfStore = STORE.test(path);
    if (bytes === null) {
      const why = isOfStore ? "the rest of the store proves the lock" : WITHOUT;
      if (isSigned) found.problem(path, "removed since the manifest was signed");
      else found.note(path, `removed since the study was exported, harmless: ${why}`);
    } else if (SETS.test(path) || isExported(bytes, sha256)) continue;
    else if (isOfStore && isProved(path, bytes, lock)) {
      found.note(path, "loaded again since the study was exported");
    } else if (isOfStore) {
      found.problem(path, "edited since the study was exported, as its manifest shows");
    } else if (isSigned) found.problem(path, "edited since the manifest was signed");
    else found.note(path, `edited since the study was exported: ${WITHOUT}`);
  }
}

// Restored files have another origin, which no row contains; the lock proves everything else.
function isProved(path: string, bytes: Buffer, lock: StudyLock): boolean {
  const [, , folder, sha256] = path.split("/");
  if (folder === "releases") {
    return lock.releases.some((line) => line.downloadSha256 === sha256 && line.receipt !== null);
  }
  try {
    const text = bytes.toString("utf8");
    // `restore --follow` moved the store to another address, after a comparison.
    if (path === `store/${LAYOUT.info}`) return "before" in parseStoreInfo(text).origin;
    return folder === "checks" && receiptsOf(lock).has(hashCheck(parseStoredCheck(text).check));
  } catch {
    return false;
  }
}

function readManifest(text: string, found: Findings): ReadonlyMap<string, string> {
  try {
    const listed = parseChecksums(text);
    // Each export lists the lock.
    if (listed.has(LOCK_FILE)) return listed;
  } catch {
    // Reported below.
  }
  found.note(MANIFEST, `edited since the study was exported: ${LOST}`);
  return new Map();
}

// Git may have given a text the line ends of another system.
function isExported(bytes: Buffer, sha256: string): boolean {
  return sha256Hex(bytes) === sha256 ||
    sha256Hex(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1")) === sha256;
}

/** Notes the files that no signature covers: the lock covers the store and the inputs, the manifest what it lists. */
export async function noteUnsigned(
  { folder, lock, isSigned }: VerifiedFolder,
  found: Findings,
): Promise<void> {
  const manifest = isSigned ? await readTextFile(join(folder, MANIFEST)) ?? "" : "";
  const listed = manifest.split("\n").map((line) => line.slice(66).trimEnd());
  const covered = new Set([LOCK_FILE, MANIFEST, ...lock.inputs.map(({ path }) => path), ...listed]);
  for (const path of listFiles(folder, "store")) {
    if (covered.has(path) || path.endsWith(SIGNATURE)) continue;
    found.note(path, "under no signature: it may come from anyone");
  }
}
