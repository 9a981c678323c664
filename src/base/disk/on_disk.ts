import { StorageError } from "../errors.ts";
import { missingPermission } from "./missing_permission.ts";
import { systemWords } from "./system_words.ts";

// Advice for system errors.
const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [["ENOSPC", "EDQUOT"], "make room on the disk, or use another folder"],
  [["EACCES", "EPERM"], "allow this user to read and write there, or use another folder"],
  [["EROFS"], "use a folder on a disk that can be written"],
  [["ESTALE", "EIO", "ETIMEDOUT"], "check the disk or the network share, and try again"],
  [["ENOENT"], "check the path"],
  [["ENOTDIR", "EEXIST", "EISDIR"], "move away what is in its place, or use another folder"],
  [["EMFILE", "ENFILE"], "close what holds files open, or raise the limit of open files"],
];
const OTHER_REMEDY = "check the disk, or use another folder";

/**
 * Runs an action on the disk.
 *
 * @param action The action, worded to follow "Cannot"
 * @param work The function to run
 * @throws {StorageError} If the system refuses it; other errors are passed on
 */
export async function onDisk<Result>(
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // A file that can be neither written nor closed: the first error is the cause.
    throw storageErrorOf(action, error instanceof SuppressedError ? error.suppressed : error);
  }
}

/** Turns a system error into a StorageError; returns any other error as it is. */
function storageErrorOf(action: string, error: unknown): unknown {
  const permission = missingPermission(error);
  if (permission !== null) {
    return new StorageError(`Cannot ${action}: ${permission}`, { cause: error });
  }
  const words = systemWords(error);
  if (words === null) return error;
  const remedy = REMEDIES.find(([codes]) => codes.some((known) => known === words.code))?.[1];
  return new StorageError(
    `Cannot ${action}: expected access to the file system, got "${words.message}"; ` +
      `${remedy ?? OTHER_REMEDY}`,
    { cause: error },
  );
}
