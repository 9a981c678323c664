import type { LoadPlan } from "../../client/cost/load_plan.ts";
import type { PlannedLoad } from "../../client/cost/plan_load.ts";
import { FACTORS } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import type { ScoreSet } from "../../contract/scores/score_set.ts";
import { IntegrityError, NotFoundError } from "../../errors.ts";
import type { StudyLock } from "../lock/lock.ts";
import { changeLock, readLockFile } from "../lock/lock_file.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import { factLine } from "../lock/lock_text.ts";
import { releaseFact } from "../replay/release_facts.ts";
import type { StudyPlace } from "../study_place.ts";
import { LockedNumbers } from "../verbs/assert_as_locked.ts";

type PanelLoad = Extract<PlannedLoad, { readonly verb: "panel" }>;
type ScoresLoad = Extract<PlannedLoad, { readonly verb: "scores" }>;
type HistoryLoad = Extract<PlannedLoad, { readonly verb: "history" }>;

/** What restoring a study costs, and how it is done. */
export interface RestorePlan {
  /** The cost of each load; what the store has already costs nothing. */
  readonly costs: readonly LoadPlan[];
  /** Loads everything and compares it with the lock. */
  run(): Promise<void>;
}

/**
 * Plans to load each view and release of a lock again from the service, under the key of whoever restores it.
 *
 * Nothing is sent before `run()`. What arrives is compared with the lock, number by number.
 */
export async function planRestore(place: StudyPlace): Promise<RestorePlan> {
  await assertHead(place.folder);
  const lock = await place.pinned();
  const api = await place.live();
  const loads = loadsOf(lock);
  const costs = await Promise.all(loads.map((load) => api.plan(load)));
  return {
    costs,
    run: async () => {
      const numbers = new LockedNumbers();
      for (const load of loads) {
        if (load.verb === "panel") await restorePanel(place, load, numbers);
        else if (load.verb === "scores") await confirmAbsence(place, load);
        else await restoreRelease(place, load);
      }
      // Each line was compared with the service or with what the store proves.
      await changeLock(place.folder, (known) => known ?? lock, { seals: true });
    },
  };
}

// Nothing that is loaded could prove the study's time.
async function assertHead(folder: string): Promise<void> {
  const read = await readLockFile(folder);
  const head = read?.broken.find(({ part }) => part === "head");
  if (head === undefined) return;
  throw new IntegrityError(
    `Cannot restore the study ${folder}: expected ${
      brokenSealWords(head)
    } in its lock, got others; take the lock from ` +
      "git or from the exported study again",
  );
}

function loadsOf(lock: StudyLock): readonly (PanelLoad | ScoresLoad | HistoryLoad)[] {
  const panels = FACTORS.flatMap((factor) =>
    (["check", "set"] as const).flatMap((every): PanelLoad[] => {
      const at = timesOf(lock, factor, every);
      return at.length === 0 ? [] : [{ verb: "panel", factors: factor, options: { at, every } }];
    })
  );
  const releases = lock.releases.map(({ factor, downloadSha256 }): HistoryLoad => ({
    verb: "history",
    factor,
    options: { downloadSha256 },
  }));
  const absences = lock.absences.map(({ factor, at }): ScoresLoad => ({
    verb: "scores",
    factor,
    options: { at },
  }));
  return [...panels, ...absences, ...releases];
}

function timesOf(lock: StudyLock, factor: string, every: "check" | "set"): readonly Instant[] {
  return lock.views
    .filter((view) => view.factor === factor && (view.check === null) === (every === "set"))
    .map(({ at }) => at);
}

async function restorePanel(
  place: StudyPlace,
  { factors, options }: PanelLoad,
  numbers: LockedNumbers,
): Promise<void> {
  const { raw } = await (await place.live()).panel(factors, options).withResponse();
  const views = raw.map(({ at, set }) => ({ at, set: set as ScoreSet }));
  numbers.assertAsLocked(await place.pinned(), views, options.every ?? "set");
}

async function confirmAbsence(place: StudyPlace, load: ScoresLoad): Promise<void> {
  const { factor, options } = load;
  const found = await (await place.live()).scores(factor, options).withResponse()
    .catch((error) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
  if (found === null) return;
  throw new IntegrityError(
    `Cannot restore the study: expected no ${factor} publication by ${options?.at}, as its lock says, got the set ` +
      found.raw.check.snapshotId,
  );
}

async function restoreRelease(place: StudyPlace, { factor, options }: HistoryLoad): Promise<void> {
  const { raw } = await (await place.live()).history(factor, options as never).withResponse();
  const locked = (await place.pinned()).releases.find((known) =>
    known.factor === factor && known.downloadSha256 === raw.release.downloadSha256
  );
  const fact = await releaseFact(factor, raw, locked?.isDefault ?? false);
  if (locked !== undefined && factLine(fact) === factLine(locked)) return;
  throw new IntegrityError(
    `Cannot restore the ${factor} release: expected ${
      locked && factLine(locked)
    } as the lock says, got ` +
      `${factLine(fact)} from the service`,
  );
}
