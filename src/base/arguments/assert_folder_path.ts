import { describe } from "../contract/violation.ts";
import { refuseAddress } from "./refuse_address.ts";

const FILE_ENDING = /\.(csv|tsv|txt|parquet|pq|json|jsonl|arrow|feather|ipc|pkl|xlsx?|h5|gz|zip)$/i;

/**
 * Refuses what is no path of a folder, because no compiler checks the arguments in a notebook cell.
 *
 * @param action What is done, worded to follow "Cannot"
 * @param folder What was given
 * @throws {TypeError} If it is not text, is empty, or is an address
 */
export function assertFolder(action: string, folder: unknown): asserts folder is string {
  refuseAddress(action, folder);
  if (typeof folder === "string" && folder !== "") return;
  throw new TypeError(`Cannot ${action}: expected the path of a folder, got ${describe(folder)}`);
}

/**
 * Refuses what is no path of a folder, the name of a file among it: a folder of that name would be made.
 *
 * @param action What is done, worded to follow "Cannot"
 * @param folder What was given
 * @param frame How one file of it is written instead, such as `release.writeParquet(path)`
 * @throws {TypeError} If it is not text, is empty, or names a file
 */
export function assertFolderPath(action: string, folder: unknown, frame: string): void {
  assertFolder(action, folder);
  if (!FILE_ENDING.test(folder)) return;
  throw new TypeError(
    `Cannot ${action}: expected the path of a folder, in which one Parquet file per year is written, got the ` +
      `name of a file, ${describe(folder)}; leave its ending out, or write one file by ${frame}`,
  );
}
