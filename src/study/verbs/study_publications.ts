import type { DataFrame } from "nodejs-polars";
import type { PublicationsOptions } from "../../client/scores/load_publications.ts";
import { toInstant } from "../../client/verb/instant_input.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import type { ScoreSet } from "../../contract/scores/score_set.ts";
import { selectCheckAt } from "../../store/scores/select_check.ts";
import type { Store } from "../../store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import type { MissingEntry } from "../replay/frozen_error.ts";
import { type KnownInstant, walkPublications } from "../replay/publication_walk.ts";
import { setKey } from "../replay/set_facts.ts";
import type { ViewedSet } from "./assert_as_locked.ts";
import { assertNotAhead, routeOf, settleViews, type StudyContext } from "./study_context.ts";
import { missingView } from "./study_scores.ts";

/** An interval, both ends inclusive. */
export interface Interval {
  /** Its beginning. */
  readonly from: Instant;
  /** Its end. */
  readonly to: Instant;
}

/** Lists the publications of an interval that ends no later than the study's time. */
export async function loadStudyPublications(
  context: StudyContext,
  factor: Factor,
  options: PublicationsOptions,
): Promise<Loaded<DataFrame, readonly ScoreSet[]>> {
  const { place } = context;
  const { asOf } = await place.pinned();
  const { interval, findMissing } = askPublications(asOf, factor, options);
  const route = await routeOf(context, findMissing);
  // Its end is asked for as an instant: where the service's clock is not past it, the client would ask for the latest
  // check, which proves nothing of it.
  await route.api.scores(factor, { at: interval.to });
  const loaded = await route.api.publications(factor, { ...options, to: interval.to })
    .withResponse();
  const { views, absences } = await readWalk(await place.openStore(), factor, interval);
  await settleViews(context, route, {
    views,
    absences: absences.map((at) => ({ factor, at })),
    every: "check",
  });
  return loaded;
}

/** What a list of publications asks for: its interval, and what a lock lacks of it. */
export interface AskedPublications {
  /** The interval, which ends no later than the study's time. */
  readonly interval: Interval;
  /** The first view that a lock lacks; `null` if it has all. */
  readonly findMissing: (lock: StudyLock) => Promise<MissingEntry | null>;
}

/**
 * Reads what a list of publications asks for.
 *
 * @throws {ScoreframeError} If its end is after the study's time
 */
export function askPublications(
  asOf: Instant,
  factor: Factor,
  options: PublicationsOptions,
): AskedPublications {
  const interval = {
    from: toInstant(options.from, "from"),
    to: options.to === undefined ? asOf : toInstant(options.to, "to"),
  };
  const action = `load the publications of ${factor}`;
  assertNotAhead(action, interval.to, asOf);
  return {
    interval,
    findMissing: (lock) => missingOfWalk(lock, interval, { factor, action }),
  };
}

async function missingOfWalk(
  lock: StudyLock,
  interval: Interval,
  asked: { readonly factor: Factor; readonly action: string },
): Promise<MissingEntry | null> {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const views = new Map(
    lock.views.filter(({ factor, check }) => factor === asked.factor && check !== null)
      .map((view) => [view.at, view]),
  );
  const isAbsent = (at: Instant) =>
    lock.absences.some((absence) => absence.factor === asked.factor && at <= absence.at);
  const walked = await walkPublications(interval, (at): KnownInstant => {
    const view = views.get(at);
    const set = view && sets.get(setKey(view));
    if (set !== undefined) return { calculatedAt: set.calculatedAt };
    return isAbsent(at) ? "none" : "unknown";
  });
  const last = walked.at(-1);
  return last?.known === "unknown" ? missingView(lock, { ...asked, at: last.at }) : null;
}

/** The views of a walk that was loaded: one that the store does not prove was before the first publication. */
export async function readWalk(
  store: Store,
  factor: Factor,
  interval: Interval,
): Promise<{ readonly views: readonly ViewedSet[]; readonly absences: readonly Instant[] }> {
  const views: ViewedSet[] = [];
  const walked = await walkPublications(interval, async (at) => {
    const selection = await selectCheckAt(store, factor, at);
    const check = selection.known ? selection.stored?.check : undefined;
    const set = check && await store.readSet(factor, check.snapshotId);
    if (check === undefined || !set) return "none";
    views.push({ at, set: { check, rows: set.rows } });
    return { calculatedAt: check.calculatedAt };
  });
  return { views, absences: walked.filter(({ known }) => known === "none").map(({ at }) => at) };
}
