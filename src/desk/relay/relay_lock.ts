import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";

/** A lock that the system releases when its process ends. */
export interface RelayLock {
  /** Releases it. */
  release(): void;
}

/**
 * Takes the lock of the account on this machine.
 *
 * @param folder Folder of the ledgers
 * @param account Hash of the account
 * @throws {StorageError} If another relay of this machine holds it
 */
export async function lockRelay(folder: string, account: string): Promise<RelayLock> {
  const path = join(folder, `.relay-${account}`);
  const file = await onDisk(`lock ${path}`, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await Deno.open(path, { create: true, write: true });
  });
  if (await file.tryLock(true)) return { release: () => file.close() };
  file.close();
  throw new StorageError(
    "Cannot start the relay: expected no other relay for this account on this machine, got one that is running; " +
      "point the users to that relay, or put this one behind it: set SCOREFRAME_URL to its address, and " +
      "SCOREFRAME_API_KEY to a key that it issued",
  );
}
