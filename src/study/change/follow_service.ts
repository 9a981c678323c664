import { join } from "node:path";
import { IntegrityError, ScoreframeError } from "../../base/errors.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import { hasSeal, readSealed, sealText } from "../../base/store/sealed_text.ts";
import { parseStoreInfo } from "../../base/store/store_info.ts";
import { factLine, type LockedSet, type LockedView, type StudyLock } from "../lock/lock.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { setFact, setKey } from "../replay/set_facts.ts";
import type { StudyPlace } from "../study_place.ts";

/**
 * Moves the store of a study to another address of its service, after one view of the lock was loaded from there and agreed
 * with the lock. The lock keeps the original address.
 *
 * @throws {IntegrityError} If the other address returns other numbers
 * @throws {ScoreframeError} If the lock has no view to compare
 */
export async function followService(place: StudyPlace): Promise<void> {
  const lock = await place.pinned();
  const [view, set] = newestOf(place.folder, lock);
  await using moved = await place.elsewhere();
  const { raw } = await moved.api.scores(view.factor, { at: view.at }).withResponse();
  const found = { ...setFact(raw.check, raw.rows), universe: set.universe };
  if (raw.check.snapshotId !== set.snapshotId || factLine(found) !== factLine(set)) {
    throw new IntegrityError(
      `Cannot follow the service to ${moved.origin}: expected ${factLine(set)} at ${view.at} as ` +
        `the lock says, got ${factLine(found)}; it is another service, so keep the old address`,
    );
  }
  await adopt(place.storeFolder, moved.origin);
}

function newestOf(folder: string, lock: StudyLock): readonly [LockedView, LockedSet] {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const views = lock.views.toSorted((a, b) => a.at < b.at ? 1 : -1);
  const view = views.find((known) => sets.has(setKey(known)));
  if (view !== undefined) return [view, sets.get(setKey(view))!];
  throw new ScoreframeError(
    `Cannot follow the service of the study ${folder}: expected a view in its lock to compare, got none; open a study ` +
      "with the new address in another folder",
  );
}

async function adopt(store: string, service: string): Promise<void> {
  const path = join(store, LAYOUT.info);
  const text = await readTextFile(path);
  if (text === null) return;
  parseStoreInfo(text);
  const info: { readonly origin?: Readonly<Record<string, unknown>> } = readSealed(text);
  const before = info.origin?.service;
  if (before === service) return;
  const origin = { ...info.origin, service, before: [info.origin?.before ?? [], before].flat() };
  const moved = { ...info, origin };
  // A seal would demand one of every older file.
  await writeWhole(
    path,
    hasSeal(text) ? sealText(moved, 2) : `${JSON.stringify(moved, null, 2)}\n`,
  );
}
