import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { IntegrityError, StorageError } from "../../errors.ts";
import { LOCK_FILE, type StudyLock } from "./lock.ts";
import { encodeLock, parseLock, type ReadLock } from "./lock_text.ts";
import { withFolder } from "./with_folder.ts";
import { writeWhole } from "./write_whole.ts";

/**
 * Reads the lock of a study; `null` if the folder has none.
 *
 * @throws {IntegrityError} If the file is no lock; the message names the line that is not
 */
export async function readLockFile(folder: string): Promise<ReadLock | null> {
  const path = join(folder, LOCK_FILE);
  const text = await readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw new StorageError(`Cannot read ${path}: "${error.message}"`, { cause: error });
  });
  if (text === null) return null;
  try {
    return parseLock(text);
  } catch (error) {
    throw new IntegrityError(
      `Cannot use ${path}: the lock of a study is required, ${(error as Error).message}; take it ` +
        "from git or from the exported study again",
      { cause: error },
    );
  }
}

/**
 * Changes the lock of a study, while no other process does: what others added meanwhile is there.
 *
 * @param change Makes the new lock of the one that is there, `null` if there is none; the same one is not written again
 * @throws {StorageError} If the folder does not take it
 */
export async function changeLock(
  folder: string,
  change: (lock: StudyLock | null) => StudyLock | Promise<StudyLock>,
): Promise<StudyLock> {
  await mkdir(folder, { recursive: true }).catch((error) => notWritten(folder, error));
  return await withFolder(folder, async () => {
    const read = await readLockFile(folder);
    const lock = await change(read?.lock ?? null);
    if (read !== null && encodeLock(read.lock) === encodeLock(lock)) return lock;
    const path = join(folder, LOCK_FILE);
    await writeWhole(path, encodeLock(lock)).catch((error) => notWritten(path, error));
    return lock;
  });
}

function notWritten(path: string, error: Error): never {
  throw new StorageError(
    `Cannot keep what the study stands on: ${path} must be writable, "${error.message}"; what was loaded is ` +
      "in the store as far as that is writable, and the next run that can write adds it",
    { cause: error },
  );
}

/** The nearest folder with a lock, from a folder upwards; `null` if there is none. */
export async function findStudyFolder(from: string): Promise<string | null> {
  for (let folder = resolve(from);; folder = dirname(folder)) {
    const isStudy = await stat(join(folder, LOCK_FILE)).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isStudy) return folder;
    if (dirname(folder) === folder) return null;
  }
}
