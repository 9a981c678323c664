import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ContractViolation } from "../../base/contract/violation.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { LOCK_FILE, type StudyLock } from "./lock.ts";
import { brokenSealWords } from "./lock_seals.ts";
import { encodeLock, parseLock, type ReadLock } from "./lock_text.ts";
import { isFile, readTextFile } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { withFolder } from "../../base/disk/with_flight.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

/**
 * Reads the lock of a study; `null` if the folder has none.
 *
 * @throws {IntegrityError} If the file is not a lock; the message names the first wrong line
 */
export async function readLockFile(folder: string): Promise<ReadLock | null> {
  const path = join(folder, LOCK_FILE);
  const text = await onDisk(`read ${path}`, () => readTextFile(path));
  if (text === null) return null;
  try {
    return parseLock(text);
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    const place = error.path === "the body"
      ? `${path}${await lineOf(text)}`
      : `${error.path} of ${path}`;
    const remedy = error.path === "$.format"
      ? "use a version of scoreframe that reads this format, such as the one that wrote it"
      : "restore the lock from git or from the exported study";
    throw new IntegrityError(
      `Cannot read ${place}: expected ${error.required}, got ${error.received}; ${remedy}`,
      { cause: error },
    );
  }
}

// JSON is an expression of JavaScript, whose parser tells lines; that of JSON does not always.
async function lineOf(text: string): Promise<string> {
  const { parseExpressionAt } = await import("acorn");
  try {
    parseExpressionAt(text, 0, { ecmaVersion: "latest" });
    return "";
  } catch (error) {
    return `, line ${(error as { readonly loc: { readonly line: number } }).loc.line}`;
  }
}

/**
 * Changes the lock of a study, one process at a time, starting from the file as others left it.
 *
 * @param change Makes the new lock from the present one (`null` if there is none); an unchanged lock is not written
 * @param options Permission to seal lines that were edited by hand, after each was compared
 * @throws {IntegrityError} If lines of it were edited by hand
 * @throws {StorageError} If the folder cannot be written
 */
export async function changeLock(
  folder: string,
  change: (lock: StudyLock | null) => StudyLock | Promise<StudyLock>,
  { seals = false }: { readonly seals?: boolean } = {},
): Promise<StudyLock> {
  await notWritten(folder, () => mkdir(folder, { recursive: true }));
  return await withFolder(folder, async () => {
    const read = await readLockFile(folder);
    const path = join(folder, LOCK_FILE);
    if (!seals) assertSealed(path, read);
    const lock = await change(read?.lock ?? null);
    const isSealed = read?.broken.length === 0;
    if (isSealed && encodeLock(read!.lock) === encodeLock(lock)) return lock;
    await notWritten(path, () => writeWhole(path, encodeLock(lock)));
    return lock;
  });
}

// A new seal would hide a changed or missing line for good.
function assertSealed(path: string, read: ReadLock | null): void {
  const broken = read?.broken[0];
  if (broken === undefined) return;
  throw new IntegrityError(
    `Cannot change ${path}: expected ${brokenSealWords(broken)}, got a lock that was edited by ` +
      `hand or merged; restore it from git, or let ${commandLine()} study restore compare ` +
      "each of its lines and seal it",
  );
}

async function notWritten(path: string, work: () => Promise<unknown>): Promise<void> {
  await onDisk(`write the lock of the study, ${path}`, work).catch((error) => {
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(
      `${error.message}; the loaded data is in the store if that is writable, and the next run that can write adds it to the lock`,
      { cause: error.cause },
    );
  });
}

/** The nearest folder with a lock, from a folder upwards; `null` if there is none. */
export async function findStudyFolder(from: string): Promise<string | null> {
  for (let folder = resolve(from);; folder = dirname(folder)) {
    if (await isFile(join(folder, LOCK_FILE))) return folder;
    if (dirname(folder) === folder) return null;
  }
}
