import { LoadPlan } from "../../client/cost/load_plan.ts";
import type { PlannedLoad } from "../../client/cost/plan_load.ts";
import { readFactor } from "../../client/release/history_options.ts";
import { toScoresQuery } from "../../client/scores/scores_options.ts";
import type { StudyLock } from "../lock/lock.ts";
import { frozenError, type MissingEntry } from "../replay/refusals.ts";
import { assertNotAhead, type TimeLimit, timeLimit } from "../hold_out/time_limit.ts";
import type { StudyContext } from "./study_context.ts";
import { findLockedRelease, missingRelease } from "./study_history.ts";
import { askPanel } from "./study_panel.ts";
import { askPublications } from "./study_publications.ts";
import { missingSet, missingView } from "./study_scores.ts";

type Missing = MissingEntry | null;

/** A load at the study's time, and the first entry that the lock lacks. */
interface TimedLoad {
  readonly load: PlannedLoad;
  readonly missing: Missing;
}

/** Finds the cost of a load of a study: nothing, if the lock has it. Sends nothing. */
export async function planStudyLoad(
  { place }: StudyContext,
  load: PlannedLoad,
): Promise<LoadPlan> {
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
  const { load: timed, missing } = await atStudyTime(known, load, timeLimit(known, place.opened));
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

async function atStudyTime(
  lock: StudyLock,
  load: PlannedLoad,
  limit: TimeLimit,
): Promise<TimedLoad> {
  switch (load.verb) {
    case "scores":
      return scoresAt(lock, load, limit);
    case "panel":
      return { load, missing: askPanel(limit, load.factors, load.options).findMissing(lock) };
    case "publications": {
      const { interval, findMissing } = askPublications(limit, load.factor, load.options);
      const options = { ...load.options, ...interval };
      return { load: { ...load, options }, missing: await findMissing(lock) };
    }
    case "history": {
      const factor = readFactor(load.factor, "load the history");
      const wanted = load.options?.downloadSha256?.toLowerCase();
      const downloadSha256 = findLockedRelease(lock, factor, wanted)?.downloadSha256;
      const options = { ...load.options, ...(downloadSha256 !== undefined && { downloadSha256 }) };
      return { load: { ...load, options }, missing: missingRelease(lock, factor, wanted) };
    }
  }
}

function scoresAt(
  lock: StudyLock,
  load: Extract<PlannedLoad, { readonly verb: "scores" }>,
  limit: TimeLimit,
): TimedLoad {
  const { factor, options = {} } = load;
  const { view } = toScoresQuery(factor, options);
  if (view.kind === "snapshot") {
    const { snapshotId } = view;
    const action = `load the ${factor} set ${snapshotId}`;
    return { load, missing: missingSet(lock, { factor, snapshotId, action }) };
  }
  const at = view.kind === "at" ? view.at : limit.through;
  const action = `load the ${factor} scores at ${at}`;
  assertNotAhead(action, at, limit);
  return {
    load: { ...load, options: { ...options, at } },
    missing: missingView(lock, { factor, at, action }),
  };
}
