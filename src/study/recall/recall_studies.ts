import { basename } from "node:path";
import { countText } from "../../base/wording/number_text.ts";
import { plansOf } from "../hold_out/time_limit.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { ofKind } from "../lock/chain.ts";
import type { LockedPlan } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { callersOf } from "../../client/uses/reach.ts";
import type { FoundStudy, IndexedStudies } from "./recall_index.ts";
import { type Cause, isMeant, standsOn } from "./stands_on.ts";

/** A study that stands on a cause. */
export interface RecalledStudy {
  /** Its folder. */
  readonly folder: string;
  /** Its contents, and how it stands on the cause. */
  readonly holds: readonly string[];
  /** Exported files: those that say that they were made from it, and whether from the lock as it is. */
  readonly exports: readonly { readonly path: string; readonly isCurrent: boolean }[];
  /** Date of the last report that found its lock sound; `null` if none is told. */
  readonly verified: string | null;
}

/** The studies of a folder that stand on a cause. */
export interface Recall {
  /** Number of all studies. */
  readonly total: number;
  /** Those that stand on it. */
  readonly recalled: readonly RecalledStudy[];
  /** Folders of studies of which nothing tells what they computed. */
  readonly untold: readonly string[];
  /** Studies whose lock is not sound. */
  readonly unsound: readonly { readonly folder: string; readonly says: string }[];
}

/** Lists the studies that stand on a cause. */
export async function recallStudies(indexed: IndexedStudies, cause: Cause): Promise<Recall> {
  const { studies } = indexed;
  const made = madeBySeal(indexed);
  // The last date of each seal.
  const verified = new Map(
    studies.flatMap((study) => study.verified).toSorted(([, a], [, b]) => a < b ? -1 : 1),
  );
  const recalled: RecalledStudy[] = [];
  const untold: string[] = [];
  const unsound: { folder: string; says: string }[] = [];
  for (const study of studies) {
    const { folder, trouble } = study;
    if (trouble !== null) unsound.push({ folder, says: trouble });
    try {
      const reasons = await standsOn(study, cause);
      if (reasons === undefined && study.lock !== null) untold.push(folder);
      if (!reasons) continue;
      const seal = study.seal!;
      const name = basename(folder);
      // A file in its folder may be of this seal, too.
      const files = new Set([...study.exports, ...(made.get(seal) ?? []).map(([, one]) => one)]);
      recalled.push({
        folder,
        holds: await contentsOf(study, cause, reasons),
        exports: [...files].map(({ path, mark: { studies } }) => {
          const own = studies.find((one) => one.name === name) ?? studies[0];
          return { path, isCurrent: own?.seal === seal };
        }),
        verified: verified.get(seal) ?? null,
      });
    } catch (error) {
      // A damaged store stops the answer about its study alone.
      unsound.push({ folder, says: (error as Error).message });
    }
  }
  return { total: studies.length, recalled, untold, unsound };
}

function madeBySeal({ studies, exports }: IndexedStudies) {
  const made = [...exports, ...studies.flatMap((study) => study.exports)].flatMap((one) =>
    one.mark.studies.map(({ seal }) => [seal, one] as const)
  );
  return Map.groupBy(made, ([seal]) => seal);
}

async function contentsOf(
  { folder, notebooks, trials, unread }: FoundStudy,
  cause: Cause,
  reasons: readonly string[],
): Promise<readonly string[]> {
  const { lock } = (await readLockFile(folder))!;
  const { sets, releases } = lock;
  const loaded = [
    releases.length > 1 ? `${releases.length} histories` : releases.length === 1 && "history",
    sets.length > 0 && countText(sets.length, "set"),
  ];
  return [
    loaded.filter((part) => part !== false).join(" + ") || "nothing loaded",
    notebooks > 0 && countText(notebooks, "notebook"),
    trials > 0 && `trial log of ${countText(trials, "trial")}`,
    ...reasons,
    cause.set !== undefined && viewsOf(lock, cause.set),
    ...plansOf(lock).filter((plan) => testStands(lock, plan, cause))
      .map((plan) => `registered test "${plan.name}" stands on it`),
    unread.length > 0 && `not readable: ${unread.join(", ")}`,
  ].filter((part) => part !== false);
}

function viewsOf({ sets, views }: StudyLock, start: string): string {
  const set = sets.find(({ snapshotId }) => isMeant(snapshotId, start))!;
  const all = views.filter(({ factor }) => factor === set.factor);
  const dates = all.filter(({ snapshotId }) => snapshotId === set.snapshotId)
    .map(({ at }) => at.slice(0, 10));
  const published = `${set.factor}, published ${set.calculatedAt}`;
  if (dates.length === 0) return published;
  const shown = [...new Set([dates[0], dates.at(-1)])].join(" to ");
  return `${published}, in ${dates.length} of ${countText(all.length, "view")}, at ${shown}`;
}

function testStands(lock: StudyLock, { name, plan }: LockedPlan, cause: Cause): boolean {
  const { set, release, uses, option } = cause;
  const looks = ofKind(lock.registered, "look").filter((look) => look.name === name);
  const ofFactor = lock.sets.filter(({ factor }) => factor === plan.factor);
  const isMet = set === undefined && release === undefined ||
    plan.scores === "panel" && ofFactor.some(({ snapshotId }) => isMeant(snapshotId, set)) ||
    looks.some((look) => isMeant(look.release ?? "", release));
  return resultsOf(lock, name).length > 0 && option === undefined && isMet &&
    uses.every((names) => names.some((one) => callersOf(one).has(".openHoldOut")));
}
