import type { Store } from "../../base/store/store.ts";
import type { LockedRelease, LockedView, StudyLock } from "../lock/lock.ts";
import { hashRelease } from "../numbers/hash_said.ts";
import { checkReceipt } from "../replay/set_facts.ts";
import { checkOf } from "./survey_store.ts";

/** A lock whose lines of format 1 have receipts, taken from the checks and releases of the store. */
export async function withReceipts(lock: StudyLock, store: Store): Promise<StudyLock> {
  return {
    ...lock,
    views: await Promise.all(lock.views.map((view) => withCheck(view, store))),
    releases: await Promise.all(lock.releases.map((release) => withMetadata(release, store))),
  };
}

async function withCheck(view: LockedView, store: Store): Promise<LockedView> {
  if (view.receipt !== null) return view;
  const stored = await checkOf(store, view);
  return { ...view, receipt: stored && checkReceipt(stored.check, stored.retrievedAt) };
}

async function withMetadata(line: LockedRelease, store: Store): Promise<LockedRelease> {
  if (line.receipt !== null) return line;
  const stored = (await store.listReleases(line.factor))
    .find(({ release }) => release.downloadSha256 === line.downloadSha256);
  const receipt = stored === undefined
    ? null
    : { said: hashRelease(stored.release), retrievedAt: stored.availableFrom };
  return { ...line, receipt };
}
