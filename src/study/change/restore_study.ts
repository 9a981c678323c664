import type { LoadPlan } from "../../client/cost/load_plan.ts";
import type { PlannedLoad } from "../../client/cost/plan_load.ts";
import { FACTORS } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import type { ScoreSet } from "../../contract/scores/score_set.ts";
import { IntegrityError } from "../../errors.ts";
import type { StudyLock } from "../lock/lock.ts";
import { factLine } from "../lock/lock_text.ts";
import { releaseFact } from "../replay/release_facts.ts";
import type { StudyPlace } from "../study_place.ts";
import { LockedNumbers } from "../verbs/assert_as_locked.ts";

type PanelLoad = Extract<PlannedLoad, { readonly verb: "panel" }>;
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
        else await restoreRelease(place, load);
      }
    },
  };
}

function loadsOf(lock: StudyLock): readonly (PanelLoad | HistoryLoad)[] {
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
  return [...panels, ...releases];
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

async function restoreRelease(place: StudyPlace, { factor, options }: HistoryLoad): Promise<void> {
  const { raw } = await (await place.live()).history(factor, options as never).withResponse();
  const locked = (await place.pinned()).releases.find((known) =>
    known.factor === factor && known.downloadSha256 === raw.release.downloadSha256
  );
  const fact = await releaseFact(factor, raw, locked?.isDefault ?? false);
  if (locked !== undefined && factLine(fact) === factLine(locked)) return;
  throw new IntegrityError(
    `Cannot restore the ${factor} release: its lock says ${locked && factLine(locked)}, the ` +
      `service gave ${factLine(fact)}`,
  );
}
