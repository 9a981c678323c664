import { basename } from "node:path";
import { countText } from "../../base/wording/number_text.ts";
import { plansOf } from "../hold_out/time_limit.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { ofKind } from "../lock/chain.ts";
import type { LockedPlan } from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { callersOf } from "../../client/uses/reach.ts";
import type { MarkedExport } from "./study_facts.ts";
import type { FoundStudy, IndexedStudies } from "./recall_index.ts";
import { type Cause, standsOn } from "./stands_on.ts";

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
  const told = toldBySeal(indexed);
  const recalled: RecalledStudy[] = [];
  const untold: string[] = [];
  const unsound: { folder: string; says: string }[] = [];
  for (const study of studies) {
    const { folder, trouble } = study;
    if (trouble !== null) unsound.push({ folder, says: trouble });
    try {
      const reasons = await standsOn(study, cause);
      if (reasons === undefined && study.lock !== null) untold.push(folder);
      else if (reasons) recalled.push(await describe(study, told, { cause, reasons }));
    } catch (error) {
      // A damaged store stops the answer about its study alone.
      unsound.push({ folder, says: (error as Error).message });
    }
  }
  return { total: studies.length, recalled, untold, unsound };
}

/** Exports and the date of the last report that found a lock sound, by the seal of the lock. */
function toldBySeal({ studies, exports }: IndexedStudies) {
  const made = new Map<string, MarkedExport[]>();
  for (const one of [...exports, ...studies.flatMap((study) => study.exports)]) {
    for (const { seal } of one.mark.studies) made.set(seal, [...made.get(seal) ?? [], one]);
  }
  const reports = studies.flatMap(({ verified }) => Object.entries(verified));
  const verified = new Map(reports.toSorted(([, a], [, b]) => a < b ? -1 : 1));
  return { made, verified };
}

async function describe(
  study: FoundStudy,
  told: ReturnType<typeof toldBySeal>,
  { cause, reasons }: { readonly cause: Cause; readonly reasons: readonly string[] },
): Promise<RecalledStudy> {
  const { lock } = (await readLockFile(study.folder))!;
  const name = basename(study.folder);
  const seal = study.seal!;
  // A file in its folder may be of this seal, too.
  const made = [...new Set([...study.exports, ...told.made.get(seal) ?? []])];
  return {
    folder: study.folder,
    holds: [
      contents(lock),
      ...study.notebooks > 0 ? [countText(study.notebooks, "notebook")] : [],
      ...study.trials > 0 ? [`trial log of ${countText(study.trials, "trial")}`] : [],
      ...reasons,
      ...cause.set === undefined ? [] : [viewsOf(lock, cause.set)],
      ...plansOf(lock).filter((plan) => testStands(lock, plan, cause))
        .map((plan) => `registered test "${plan.name}" stands on it`),
      ...study.unread.length > 0 ? [`not readable: ${study.unread.join(", ")}`] : [],
    ],
    exports: made.map(({ path, mark }) => {
      const own = mark.studies.find((one) => one.name === name) ?? mark.studies[0];
      return { path, isCurrent: own?.seal === seal };
    }),
    verified: told.verified.get(seal) ?? null,
  };
}

function contents({ sets, releases }: StudyLock): string {
  const parts = [
    releases.length === 1 ? "history" : releases.length > 1 ? `${releases.length} histories` : "",
    sets.length > 0 ? countText(sets.length, "set") : "",
  ];
  return parts.filter((part) => part !== "").join(" + ") || "nothing loaded";
}

function viewsOf({ sets, views }: StudyLock, start: string): string {
  const set = sets.find(({ snapshotId }) => snapshotId.startsWith(start))!;
  const all = views.filter(({ factor }) => factor === set.factor);
  const own = all.filter(({ snapshotId }) => snapshotId === set.snapshotId);
  const dates = own.map(({ at }) => at.slice(0, 10));
  const shown = [dates[0], ...dates.length > 1 ? [dates.at(-1)] : []].join(" to ");
  const published = `${set.factor}, published ${set.calculatedAt}`;
  return own.length === 0
    ? published
    : `${published}, in ${own.length} of ${countText(all.length, "view")}, at ${shown}`;
}

function testStands(lock: StudyLock, { name, plan }: LockedPlan, cause: Cause): boolean {
  const { set, release, uses, option } = cause;
  const looks = ofKind(lock.registered, "look").filter((look) => look.name === name);
  const ofFactor = lock.sets.filter(({ factor }) => factor === plan.factor);
  const isMet = set === undefined && release === undefined ||
    (set !== undefined && plan.scores === "panel" &&
      ofFactor.some(({ snapshotId }) => snapshotId.startsWith(set))) ||
    (release !== undefined && looks.some((look) => look.release?.startsWith(release) === true));
  return resultsOf(lock, name).length > 0 && option === undefined && isMet &&
    uses.every((names) => names.some((one) => callersOf(one).has(".openHoldOut")));
}
