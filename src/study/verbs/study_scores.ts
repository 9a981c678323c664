import type { DataFrame } from "nodejs-polars";
import type { FactorApi } from "../../client/factor_api.ts";
import { type ScoresOptions, toScoresQuery } from "../../client/scores/scores_options.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import type { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { assertNotAhead, type TimeLimit } from "../hold_out/time_limit.ts";
import { type MissingEntry, nearestInstant, viewWords } from "../replay/refusals.ts";
import {
  limitOf,
  loadStudy,
  receivedAt,
  removedMeanwhile,
  settleViews,
  type StudyContext,
} from "./study_context.ts";

/** Loads a score set at the study's time, or at an earlier one. */
export async function loadStudyScores(
  context: StudyContext,
  factor: Factor,
  given: ScoresOptions,
): Promise<Loaded<DataFrame, ScoreSet>> {
  const { options, findMissing, viewedAt } = askScores(await limitOf(context), factor, given);
  return await loadStudy(context, {
    findMissing,
    load: (api: FactorApi) => api.scores(factor, options).withResponse(),
    settle: async ({ raw }, route, store) => {
      const at = viewedAt(raw.check);
      const set = await wholeSet(store, raw);
      const retrievedAt = await receivedAt(store, set.check);
      await settleViews(context, route, { views: [{ at, set, retrievedAt }], every: "check" });
    },
  });
}

/**
 * Reads the request for a set.
 *
 * @throws {ScoreframeError} If it is after the study's time, or held out
 */
export function askScores(limit: TimeLimit, factor: Factor, options: ScoresOptions) {
  const { view } = toScoresQuery(factor, options);
  if (view.kind === "snapshot") {
    const { snapshotId } = view;
    const action = `load the ${factor} set ${snapshotId}`;
    const viewedAt = ({ calculatedAt }: Pick<Check, "calculatedAt">) => {
      assertNotAhead(action, calculatedAt, limit, "a set that was published at");
      return calculatedAt;
    };
    const findMissing = (lock: StudyLock) => {
      const sets = lock.sets.filter((set) => set.factor === factor);
      const set = sets.find((known) => known.snapshotId === snapshotId);
      // A set by id has the check of its publication.
      if (set !== undefined) return missingView(lock, { factor, at: viewedAt(set), action });
      const last = sets.toSorted((a, b) => a.calculatedAt < b.calculatedAt ? -1 : 1).at(-1);
      const nearest = last ? `the set ${last.snapshotId} of ${last.calculatedAt}` : null;
      return { action, entry: `the set ${snapshotId}`, nearest };
    };
    return { options: { ...options, snapshotId }, findMissing, viewedAt };
  }
  const at = view.kind === "at" ? view.at : limit.through;
  const action = `load the ${factor} scores at ${at}`;
  assertNotAhead(action, at, limit);
  const findMissing = (lock: StudyLock) => missingView(lock, { factor, at, action });
  return { options: { ...options, at }, findMissing, viewedAt: () => at };
}

/** The missing entry of a view that a lock lacks; `null` if it has it. */
export function missingView(
  lock: StudyLock,
  { factor, at, action }: {
    readonly factor: Factor;
    readonly at: Instant;
    readonly action: string;
  },
  every: "set" | "check" = "check",
): MissingEntry | null {
  const sets = lock.views.filter((view) => view.factor === factor);
  const views = sets.filter(({ check }) => every === "set" || check !== null);
  if (views.some((view) => view.at === at)) return null;
  const entry = viewWords(factor, at);
  const nearest = nearestInstant(at, views.map((view) => view.at));
  if (nearest !== null) return { action, entry, nearest: viewWords(factor, nearest) };
  const set = nearestInstant(at, sets.map((view) => view.at));
  // A panel of sets has no checks.
  return { action, entry, nearest: set && `${viewWords(factor, set)}, without its check,` };
}

// A load of one ticker gives a single row; the lock records the whole set.
async function wholeSet(store: Store, { check, rows }: ScoreSet): Promise<ScoreSet> {
  if (rows.tickers.length === check.coverage.tickers) return { check, rows };
  const stored = await store.readSet(check.factor, check.snapshotId);
  if (stored !== null) return { check, rows: stored.rows };
  throw removedMeanwhile(`${check.factor} scores`, `the set ${check.snapshotId}`);
}
