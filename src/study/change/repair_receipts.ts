import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FACTORS } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { LAYOUT, RELEASE_METADATA } from "../../base/store/layout.ts";
import { encodeStoredCheck } from "../../base/store/scores/check_file.ts";
import { readSealed, sealText } from "../../base/store/sealed_text.ts";
import { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { writeWhole } from "../../base/disk/write_whole.ts";
import { hashCheck } from "../numbers/hash_said.ts";
import { receiptsOf } from "../verbs/assert_as_locked.ts";

/**
 * Restores the time of first receipt of checks and releases that were loaded again, so that rows are equal on every machine.
 * Their content has been compared before.
 */
export async function repairReceipts(folder: string, lock: StudyLock): Promise<void> {
  const store = await Store.open(join(folder, "store"));
  const received = receiptsOf(lock);
  for (const factor of FACTORS) {
    for (const { name } of await store.listChecks(factor)) {
      const stored = await store.readCheck(factor, name).catch(() => null);
      const retrievedAt = stored === null ? undefined : received.get(hashCheck(stored.check));
      if (retrievedAt === undefined || retrievedAt === stored!.retrievedAt) continue;
      const { text } = encodeStoredCheck({ ...stored!, retrievedAt });
      await writeWhole(join(store.path, LAYOUT.check(factor, name)), text);
    }
  }
  for (const { factor, downloadSha256, receipt } of lock.releases) {
    if (receipt === null) continue;
    const path = join(store.path, LAYOUT.release(factor, downloadSha256), RELEASE_METADATA);
    await repairRelease(path, receipt.retrievedAt);
  }
}

async function repairRelease(path: string, receivedAt: Instant): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null) return;
  const metadata = readSealed(text);
  if (metadata.available_from === receivedAt) return;
  await writeWhole(path, sealText({ ...metadata, available_from: receivedAt }, 2));
}
