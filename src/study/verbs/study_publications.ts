import type { FactorApi } from "../../client/factor_api.ts";
import type { PublicationsOptions } from "../../client/scores/load_publications.ts";
import { toInstant } from "../../client/verb/instant_input.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import { selectCheckAt } from "../../base/store/checks/select_check.ts";
import type { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { setKey } from "../replay/set_facts.ts";
import type { ViewedSet } from "./assert_as_locked.ts";
import { assertNotAhead, type TimeLimit } from "../hold_out/time_limit.ts";
import { limitOf, loadStudy, settleViews, type StudyContext } from "./study_context.ts";
import { missingView } from "./study_scores.ts";
import type { PublicationColumns } from "../../frames/frame/publications_frame.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";

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
): Promise<Loaded<TypedFrame<PublicationColumns>, readonly ScoreSet[]>> {
  const { interval, findMissing } = askPublications(await limitOf(context), factor, options);
  return await loadStudy(context, {
    findMissing,
    question: `publications ${factor} ${interval.from} ${interval.to}`,
    load: async (api: FactorApi) => {
      // The end must be past: for a future instant the client would request the latest check, which proves nothing about it.
      await api.scores(factor, { at: interval.to });
      return await api.publications(factor, { ...options, to: interval.to }).withResponse();
    },
    settle: async (_, route, store) => {
      const { views, absences } = await readWalk(store, factor, interval);
      const locked = absences.map((at) => ({ factor, at }));
      await settleViews(context, route, { views, absences: locked, every: "check" });
    },
  });
}

/**
 * Reads the request for a list of publications.
 *
 * @throws {ScoreframeError} If its end is after the study's time
 */
export function askPublications(limit: TimeLimit, factor: Factor, options: PublicationsOptions) {
  const interval = {
    from: toInstant(options.from, "from"),
    to: options.to === undefined ? limit.through : toInstant(options.to, "to"),
  };
  const action = `load the publications of ${factor}`;
  assertNotAhead(action, interval.to, limit);
  const findMissing = async (lock: StudyLock) => {
    const last = (await walkPublications(interval, knownIn(lock, factor))).at(-1);
    return last?.known === "unknown" ? missingView(lock, { factor, action, at: last.at }) : null;
  };
  return { interval, findMissing };
}

/** Views of a loaded walk; an instant that the store does not prove lies before the first publication. */
export async function readWalk(
  store: Store,
  factor: Factor,
  interval: Interval,
): Promise<{ readonly views: readonly ViewedSet[]; readonly absences: readonly Instant[] }> {
  const views: ViewedSet[] = [];
  const walked = await walkPublications(interval, async (at) => {
    const selection = await selectCheckAt(store, factor, at);
    const stored = selection.known ? selection.stored : null;
    const set = stored && await store.readSet(factor, stored.check.snapshotId);
    if (stored === null || !set) return "none";
    const { check, retrievedAt } = stored;
    views.push({ at, set: { check, rows: set.rows }, retrievedAt });
    return check;
  });
  return { views, absences: walked.filter(({ known }) => known === "none").map(({ at }) => at) };
}

/** Knowledge of an instant: publication time of the set in force, "none" before the first one, or "unknown". */
type KnownInstant = { readonly calculatedAt: Instant } | "none" | "unknown";

/** Looks an instant of a factor up in a lock. */
export function knownIn(lock: StudyLock, factor: Factor): (at: Instant) => KnownInstant {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const views = new Map(
    lock.views.filter((view) => view.factor === factor && view.check !== null)
      .map((view) => [view.at, view]),
  );
  const absences = lock.absences.filter((absence) => absence.factor === factor);
  return (at) => {
    const view = views.get(at);
    const isAbsent = absences.some((absence) => at <= absence.at);
    return view && sets.get(setKey(view)) || (isAbsent ? "none" : "unknown");
  };
}

/**
 * The instants that listing the publications of an interval requests, newest first: its end, then the instant before each
 * publication. The walk ends before the interval, before the first publication, or at an unknown instant.
 */
export async function walkPublications(
  interval: Interval,
  lookUp: (at: Instant) => KnownInstant | Promise<KnownInstant>,
): Promise<readonly { readonly at: Instant; readonly known: KnownInstant }[]> {
  const asked: { at: Instant; known: KnownInstant }[] = [];
  for (let at = interval.to; at >= interval.from;) {
    const known = await lookUp(at);
    asked.push({ at, known });
    if (typeof known === "string") break;
    at = instantOf(epochMsOf(known.calculatedAt) - 1);
  }
  return asked;
}
