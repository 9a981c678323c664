import { LoadPlan } from "../../client/cost/load_plan.ts";
import type { PlannedLoad } from "../../client/cost/plan_load.ts";
import { readFactor } from "../../client/release/history_options.ts";
import type { StudyLock } from "../lock/lock.ts";
import { frozenError, type MissingEntry } from "../replay/refusals.ts";
import { type TimeLimit, timeLimit } from "../hold_out/time_limit.ts";
import type { StudyContext } from "./study_context.ts";
import { findLockedRelease, missingRelease } from "./study_history.ts";
import { askPanel } from "./study_panel.ts";
import { askPublications } from "./study_publications.ts";
import { askScores } from "./study_scores.ts";

/** Finds the cost of a load of a study: nothing, if the lock has it. Sends nothing. */
export async function planStudyLoad({ place }: StudyContext, load: PlannedLoad): Promise<LoadPlan> {
  if (place.isTimeless) {
    const plan = await (await place.live()).plan(load);
    return new LoadPlan({
      ...plan,
      requestsAtLeast: plan.requestsAtLeast + 1,
      requestsAtMost: plan.requestsAtMost + 1,
      fromStore: `${plan.fromStore}; one request pins the study's time`,
    });
  }
  const known = await place.refresh();
  // Arguments are read before the study's time is added.
  const unread = await (await place.replay()).plan(load);
  const [timed, missing] = await atStudyTime(known, load, timeLimit(known, place.opened));
  if (missing !== null) {
    if (place.mode === "frozen") throw frozenError(place.folder, missing);
    return await (await place.live()).plan(timed);
  }
  return new LoadPlan({
    ...unread,
    requestsAtLeast: 0,
    requestsAtMost: 0,
    downloadsAtMost: 0,
    fromStore: "The lock of the study has it",
    rangeReason: null,
  });
}

/** The load at the study's time, and the first entry that the lock lacks. */
async function atStudyTime(
  lock: StudyLock,
  load: PlannedLoad,
  limit: TimeLimit,
): Promise<readonly [PlannedLoad, MissingEntry | null]> {
  switch (load.verb) {
    case "scores": {
      const { options, findMissing } = askScores(limit, load.factor, load.options ?? {});
      return [{ ...load, options }, findMissing(lock)];
    }
    case "panel":
      return [load, askPanel(limit, load.factors, load.options).findMissing(lock)];
    case "publications": {
      const { interval, findMissing } = askPublications(limit, load.factor, load.options);
      return [{ ...load, options: { ...load.options, ...interval } }, await findMissing(lock)];
    }
    case "history": {
      const factor = readFactor(load.factor, "load the history");
      const wanted = load.options?.downloadSha256?.toLowerCase();
      const downloadSha256 = findLockedRelease(lock, factor, wanted)?.downloadSha256;
      const options = { ...load.options, ...(downloadSha256 !== undefined && { downloadSha256 }) };
      return [{ ...load, options }, missingRelease(lock, factor, wanted)];
    }
  }
}
