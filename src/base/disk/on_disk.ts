import { constants } from "node:os";
import { StorageError } from "../errors.ts";
import { missingPermission } from "./missing_permission.ts";

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
export async function onDisk<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // A file that can be neither written nor closed: the first error is the cause.
    throw storageErrorOf(action, error instanceof SuppressedError ? error.suppressed : error);
  }
}

/**
 * Turns a system error into a StorageError; returns any other error as it is.
 *
 * @param action The action, worded to follow "Cannot"
 */
export function storageErrorOf(action: string, error: unknown): unknown {
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

/**
 * Message and code of an error of the operating system; `null` for any other error.
 *
 * Deno has no code for some system errors, such as quotas and lost network shares: `UNKNOWN` in `node:fs`, none elsewhere; those
 * of Polars are all `GenericFailure`. Their number tells which they are.
 */
export function systemWords(
  error: unknown,
): { readonly message: string; readonly code: string | null } | null {
  if (!(error instanceof Error)) return null;
  // Deno names the call and the path once more at the end.
  const message = error.message.replace(/(\(os error \d+\)): \w+ '.*'$/, "$1");
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string" && /^E[A-Z0-9]+$/.test(code)) return { message, code };
  const [, plain, ofRust] = /\(os error (\d+)\)|\bOs \{ code: (\d+)/.exec(message) ?? [];
  const number = plain ?? ofRust ?? Reflect.get(error, "errno");
  const isTold = code === "UNKNOWN" || code === "GenericFailure" ||
    /\(os error \d+\)$/.test(message);
  if (number === undefined || !isTold) return null;
  const found = Object.entries(constants.errno).find(([, value]) =>
    value === Math.abs(Number(number))
  );
  const name = found?.[0] ?? null;
  return { message: message.replace(/^UNKNOWN\b/, name ?? "UNKNOWN"), code: name };
}
