import type { DataFrame } from "nodejs-polars";
import { type ScoresOptions, toScoresQuery } from "../../client/scores/scores_options.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import { IntegrityError } from "../../base/errors.ts";
import type { StudyLock } from "../lock/lock.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import { assertNotAhead, type TimeLimit } from "../hold_out/time_limit.ts";
import { type MissingEntry, nearestInstant, viewWords } from "../replay/refusals.ts";
import { receivedAt } from "./stored_answer.ts";
import { chooseRoute, limitOf, loadBy, settleViews, type StudyContext } from "./study_context.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import type { FactorApi } from "../../client/factor_api.ts";

/** Loads a score set at the study's time, or at an earlier one. */
export async function loadStudyScores(
  context: StudyContext,
  factor: Factor,
  options: ScoresOptions,
): Promise<Loaded<DataFrame, ScoreSet>> {
  const { view } = toScoresQuery(factor, options);
  const limit = await limitOf(context);
  if (view.kind === "snapshot") {
    return await loadById(context, factor, { ...options, snapshotId: view.snapshotId });
  }
  const at = view.kind === "at" ? view.at : limit.through;
  const action = `load the ${factor} scores at ${at}`;
  assertNotAhead(action, at, limit);
  return await loadSet(context, (lock) => missingView(lock, { factor, at, action }), {
    factor,
    options: { ...options, at },
    limit,
    viewedAt: () => at,
  });
}

async function loadById(
  context: StudyContext,
  factor: Factor,
  options: ScoresOptions & { readonly snapshotId: string },
): Promise<Loaded<DataFrame, ScoreSet>> {
  const { snapshotId } = options;
  const action = `load the ${factor} set ${snapshotId}`;
  const limit = await limitOf(context);
  const assertKnown = (calculatedAt: Instant) =>
    assertNotAhead(action, calculatedAt, limit, "a set that was published at");
  const known = context.place.lock?.sets.find((set) => set.snapshotId === snapshotId);
  if (known !== undefined) assertKnown(known.calculatedAt);
  return await loadSet(context, (lock) => missingSet(lock, { factor, snapshotId, action }), {
    factor,
    options,
    limit,
    viewedAt: ({ calculatedAt }) => {
      assertKnown(calculatedAt);
      return calculatedAt;
    },
  });
}

async function loadSet(
  context: StudyContext,
  findMissing: (lock: StudyLock) => MissingEntry | null,
  { factor, options, limit, viewedAt }: {
    readonly factor: Factor;
    readonly options: ScoresOptions;
    readonly limit: TimeLimit;
    /** The instant of the loaded check's view; throws if it is after the study's time. */
    readonly viewedAt: (check: Check) => Instant;
  },
): Promise<Loaded<DataFrame, ScoreSet>> {
  const route = await chooseRoute(context, findMissing);
  const load = (api: FactorApi) => api.scores(factor, options).withResponse();
  const loaded = await loadBy(context, route, load);
  const at = viewedAt(loaded.raw.check);
  const set = await wholeSet(context, loaded.raw);
  const retrievedAt = await receivedAt(await context.place.openStore(), set.check);
  await settleViews(context, route, { views: [{ at, set, retrievedAt }], every: "check" });
  return { ...loaded, data: markHeldOut(loaded.data, limit.heldOut) };
}

/** The missing entry of a view that a lock lacks; `null` if it has it. */
export function missingView(
  lock: StudyLock,
  asked: { readonly factor: Factor; readonly at: Instant; readonly action: string },
  every: "set" | "check" = "check",
): MissingEntry | null {
  const { factor, at, action } = asked;
  const ofFactor = lock.views.filter((view) =>
    view.factor === factor && (every === "set" || view.check !== null)
  );
  if (ofFactor.some((view) => view.at === at)) return null;
  const entry = viewWords(factor, at);
  const nearest = nearestInstant(at, ofFactor.map((view) => view.at));
  if (nearest !== null) return { action, entry, nearest: viewWords(factor, nearest) };
  const sets = lock.views.filter((view) => view.factor === factor).map((view) => view.at);
  const set = nearestInstant(at, sets);
  // A panel of sets has no checks.
  return { action, entry, nearest: set && `${viewWords(factor, set)}, without its check,` };
}

/** The missing entry of a set by its id that a lock lacks; `null` if it has it. */
export function missingSet(
  lock: StudyLock,
  asked: { readonly factor: Factor; readonly snapshotId: string; readonly action: string },
): MissingEntry | null {
  const { factor, snapshotId, action } = asked;
  const set = lock.sets.find((known) => known.factor === factor && known.snapshotId === snapshotId);
  if (set === undefined) {
    const last = lock.sets.filter((known) => known.factor === factor)
      .toSorted((a, b) => a.calculatedAt < b.calculatedAt ? -1 : 1).at(-1);
    const nearest = last === undefined
      ? null
      : `the set ${last.snapshotId} of ${last.calculatedAt}`;
    return { action, entry: `the set ${snapshotId}`, nearest };
  }
  // A set by id has the check of its publication.
  return missingView(lock, { factor, at: set.calculatedAt, action });
}

// A load of one ticker gives a single row; the lock records the whole set.
async function wholeSet({ place }: StudyContext, { check, rows }: ScoreSet): Promise<ScoreSet> {
  if (rows.tickers.length === check.coverage.tickers) return { check, rows };
  const stored = await (await place.openStore()).readSet(check.factor, check.snapshotId);
  if (stored !== null) return { check, rows: stored.rows };
  throw new IntegrityError(
    `Cannot load the ${check.factor} scores: expected the set ${check.snapshotId} in the store, got none, because it was ` +
      "removed meanwhile; load it again",
  );
}
