import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { OtherServiceError } from "../client/open_storage.ts";
import { StorageError } from "../base/errors.ts";
import { commandLine } from "../base/runtime/command_line.ts";
import { LAYOUT } from "../base/store/layout.ts";
import type { StudyLock } from "./lock/lock.ts";

/**
 * Removes the store of a study whose first load failed, so that a mistyped address is not kept. A store with any content stays.
 *
 * @returns `true` if it was removed
 */
export async function forgetEmptyStore(
  folder: string,
  lock: StudyLock | null,
  error: Error,
): Promise<boolean> {
  if (lock !== null || !(error instanceof StorageError)) return false;
  const store = join(folder, "store");
  const names = await readdir(store, { recursive: true }).catch((): string[] => []);
  const isBare = names.includes(LAYOUT.info) &&
    names.every((name) => name === LAYOUT.info || name.startsWith("."));
  if (!isBare) return false;
  await rm(join(store, LAYOUT.info), { force: true });
  return true;
}

/**
 * The error of a connection whose address differs from that of the store, with advice for a study; any other error as it is.
 */
export function movedService(folder: string, lock: StudyLock | null, error: Error): Error {
  if (lock === null || !(error instanceof OtherServiceError)) return error;
  return new StorageError(
    `Cannot load into the study ${folder}: expected its service ${error.service}, got another address; set SCOREFRAME_URL to ` +
      `it, or, if the service has moved, let ${commandLine()} study restore --follow compare the new one with the lock`,
    { cause: error },
  );
}
