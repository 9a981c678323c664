import { StorageError } from "../../errors.ts";

// What the person in front of it can do about a system error; other errors are told in the system's own words alone.
const REMEDIES: readonly (readonly [codes: readonly string[], remedy: string])[] = [
  [["ENOSPC", "EDQUOT"], "make room on the disk, or use another folder"],
  [["EACCES", "EPERM"], "allow this user to read and write there, or use another folder"],
  [["EROFS"], "use a folder on a disk that can be written"],
  [["ENOTDIR", "EEXIST", "EISDIR"], "move away what is in its place, or use another folder"],
  [["EMFILE", "ENFILE"], "close what holds files open, or raise the limit of open files"],
];
const OTHER_REMEDY = "check the disk, or use another folder";

/**
 * Does something with the disk.
 *
 * @param action What is done, to stand behind "Cannot"
 * @param work What does it
 * @throws {StorageError} If the system refuses it; other errors stay what they are
 */
export async function onDisk<Result>(
  action: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageErrorOf(action, error);
  }
}

/** The error of a folder or disk that the system refused to use; any other error is given back. */
function storageErrorOf(action: string, error: unknown): unknown {
  const words = systemWords(error);
  if (words === null) return error;
  const code: unknown = Reflect.get(error as Error, "code");
  const remedy = REMEDIES.find(([codes]) => codes.some((known) => known === code))?.[1];
  return new StorageError(
    `Cannot ${action}: expected the system to do it, got "${words}"; ${remedy ?? OTHER_REMEDY}`,
    { cause: error },
  );
}

// Deno has no code for some errors of the system: a limit on the size of files, a quota.
function systemWords(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code: unknown = Reflect.get(error, "code");
  const isSystem = typeof code === "string" && /^E[A-Z0-9]+$/.test(code);
  return isSystem || /\(os error \d+\)$/.test(error.message) ? error.message : null;
}
