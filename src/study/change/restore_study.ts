import { basename, dirname, join } from "node:path";
import { rename, rm } from "node:fs/promises";
import { LoadPlan } from "../../client/cost/load_plan.ts";
import type { PlannedLoad } from "../../client/cost/plan_load.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { ContractError, IntegrityError, NotFoundError, StorageError } from "../../base/errors.ts";
import { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { changeLock, readLockFile } from "../lock/lock_file.ts";
import { brokenSealWords } from "../lock/lock_seals.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { checkReceipt, setKey } from "../replay/set_facts.ts";
import type { StudyPlace } from "../study_place.ts";
import { verifyContent } from "../verify/verify_study.ts";
import { checkOf, type StoreSurvey, surveyStore } from "./survey_store.ts";
import { countText } from "../../base/wording/number_text.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { ASIDE_PREFIX, LAYOUT, RELEASE_METADATA } from "../../base/store/layout.ts";
import { encodeStoredCheck } from "../../base/store/scores/check_file.ts";
import { readSealed, sealText } from "../../base/store/sealed_text.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { hashCheck } from "../numbers/hash_numbers.ts";
import { receiptsOf } from "../verbs/assert_as_locked.ts";
import { releaseReceipt } from "../replay/release_facts.ts";
import { findRelease } from "../../client/release/stored_releases.ts";
import { onDisk } from "../../base/disk/on_disk.ts";

type LoadOf<Verb> = Extract<PlannedLoad, { readonly verb: Verb }>;

/** Cost of restoring a study, and the function that restores it. */
export interface RestorePlan {
  /** Cost of each load; empty if the store has everything, which needs no key. */
  readonly costs: readonly LoadPlan[];
  /** Files, relative to the store, that are damaged or differ from the lock; they are set aside and loaded again. */
  readonly wrong: readonly string[];
  /** Number of sets that the store lacks. */
  readonly missingSets: number;
  /** Loads the missing data, and compares everything with the lock. */
  run(): Promise<void>;
}

const MOST_NAMED = 10;

/**
 * Plans to load the data of a lock that its store lacks from the service, with the caller's own key. A file that is
 * damaged or differs from the lock is set aside and loaded again.
 *
 * Sends and changes nothing before `run()`, which then compares everything with the lock, number by number, and seals
 * the lock. A complete store needs neither key nor network.
 */
export async function planRestore(place: StudyPlace): Promise<RestorePlan> {
  const read = await readLockFile(place.folder);
  assertHead(place.folder, read);
  const lock = read?.lock ?? await place.pinned();
  const survey = await surveyStore(place.folder, lock);
  const isDoubtful = read?.broken.some(({ part }) => part === "absences") === true;
  const loads = loadsOf(lock, survey, isDoubtful);
  const costs: LoadPlan[] = [];
  for (const load of loads) costs.push(await costOf(place, load, survey));
  return {
    costs,
    wrong: survey.wrong,
    missingSets: survey.lackingSets.size,
    run: async () => {
      await setAside(place.storeFolder, survey.wrong);
      const problems: string[] = [];
      for (const load of loads) {
        // The rest is restored even if the service lacks one entry.
        problems.push(...await runLoad(place, load));
      }
      await finish(place, lock, problems);
    },
  };
}

async function finish(place: StudyPlace, lock: StudyLock, problems: string[]): Promise<void> {
  const { folder } = place;
  const isThere = await Store.open(place.storeFolder).then(() => true, () => false);
  if (isThere) await repairReceipts(folder, lock);
  const found = await verifyContent(folder, lock);
  problems.push(...found.map(({ path, says }) => `${path}: ${says}`));
  if (problems.length > 0) {
    const more = problems.length - MOST_NAMED;
    throw new IntegrityError(
      `Cannot restore the study ${folder}: expected each line of its lock from the service, got ` +
        `${problems.slice(0, MOST_NAMED).join("; ")}${more > 0 ? `; and ${more} more` : ""}; ` +
        "the rest is restored, and the lock is unchanged",
    );
  }
  const store = await Store.open(place.storeFolder);
  const change = async (known: StudyLock | null) =>
    await withReceipts(await place.withRecord(known ?? lock), store);
  await changeLock(folder, change, { seals: true });
}

// No load can prove the study's time.
function assertHead(folder: string, read: ReadLock | null): void {
  const head = read?.broken.find(({ part }) => part === "head");
  if (head === undefined) return;
  throw new IntegrityError(
    `Cannot restore the study ${folder}: expected ${brokenSealWords(head)} in its lock, got ` +
      "others; restore the lock from git or from the exported study",
  );
}

type Load = LoadOf<"panel" | "scores" | "history">;

function loadsOf(lock: StudyLock, survey: StoreSurvey, isDoubtful: boolean): readonly Load[] {
  const panels = FACTORS.flatMap((factor) =>
    (["check", "set"] as const).flatMap((every): LoadOf<"panel">[] => {
      const at = viewsOf(survey, factor, every).map((view) => view.at);
      return at.length === 0 ? [] : [{ verb: "panel", factors: factor, options: { at, every } }];
    })
  );
  const releases = survey.lackingReleases.map(({ factor, downloadSha256 }): Load => (
    { verb: "history", factor, options: { downloadSha256 } }
  ));
  // A store cannot prove an absence; a sealed line came from the service.
  const absences = (isDoubtful ? lock.absences : []).map(({ factor, at }): Load => (
    { verb: "scores", factor, options: { at } }
  ));
  return [...panels, ...absences, ...releases];
}

function viewsOf({ lacking }: StoreSurvey, factor: string, every: "check" | "set") {
  return lacking.filter((view) =>
    view.factor === factor && (view.check === null) === (every === "set")
  );
}

async function costOf(place: StudyPlace, load: Load, survey: StoreSurvey): Promise<LoadPlan> {
  const plan = await (await place.live()).plan(load);
  if (load.verb !== "panel") return plan;
  const views = viewsOf(survey, String(load.factors), load.options.every ?? "set");
  const answers = new Set(views.map((view) => `${setKey(view)} ${view.check?.lastCheckedAt}`));
  const sets = new Set(views.map(setKey)).size;
  return new LoadPlan({
    ...plan,
    requestsAtLeast: sets,
    requestsAtMost: Math.max(sets, load.options.every === "check" ? answers.size : views.length),
    fromStore: `The store lacks ${countText(sets, "set")} of ${countText(views.length, "view")}`,
    rangeReason: sets === views.length ? null : "one answer may prove several views",
  });
}

/** Runs a load, and returns the entries that the service did not return. */
async function runLoad(place: StudyPlace, load: Load): Promise<readonly string[]> {
  try {
    const api = await place.live();
    if (load.verb === "panel") await api.panel(load.factors, load.options);
    else if (load.verb === "history") await api.history(load.factor, load.options as never);
    else await confirmAbsence(place, load);
    return [];
  } catch (error) {
    // An error that also stops every later load, such as a spent allowance, ends the restore.
    if (!OF_ONE.some((kind) => error instanceof kind)) throw error;
    const words = (error as Error).message;
    const times = load.verb === "panel" ? load.options.at as readonly Instant[] : [];
    if (times.length < 2) return [words];
    const said = await Array.fromAsync(
      times,
      (at) =>
        runLoad(place, { ...load, options: { ...load.options, at: [at] } } as LoadOf<"panel">),
    );
    return said.flat();
  }
}

const OF_ONE = [IntegrityError, ContractError, NotFoundError, StorageError];

async function confirmAbsence(place: StudyPlace, load: LoadOf<"scores">): Promise<void> {
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

/**
 * Restores the time of first receipt of checks and releases that were loaded again, so that rows are equal on every machine.
 * Their content has been compared before.
 */
async function repairReceipts(folder: string, lock: StudyLock): Promise<void> {
  const store = await Store.open(join(folder, "store"));
  const received = receiptsOf(lock);
  for (const factor of FACTORS) {
    for (const { name } of await store.listChecks(factor)) {
      const stored = await store.readCheck(factor, name).catch(() => null);
      const retrievedAt = stored === null ? undefined : received.get(hashCheck(stored.check));
      if (retrievedAt === undefined || retrievedAt === stored!.retrievedAt) continue;
      const { text } = encodeStoredCheck({ ...stored!, retrievedAt });
      await writeWhole(join(store.path, LAYOUT.check(factor, name)), text);
    }
  }
  for (const { factor, downloadSha256, receipt } of lock.releases) {
    if (receipt === null) continue;
    const path = join(store.path, LAYOUT.release(factor, downloadSha256), RELEASE_METADATA);
    const text = await readTextFile(path);
    const available_from = receipt.retrievedAt;
    if (text === null || readSealed(text).available_from === available_from) continue;
    await writeWhole(path, sealText({ ...readSealed(text), available_from }, 2));
  }
}

/** A lock whose lines of format 1 have receipts, taken from the checks and releases of the store. */
async function withReceipts(lock: StudyLock, store: Store): Promise<StudyLock> {
  const views = lock.views.map(async (view) => {
    const stored = view.receipt === null ? await checkOf(store, view) : null;
    return stored === null
      ? view
      : { ...view, receipt: checkReceipt(stored.check, stored.retrievedAt) };
  });
  const releases = lock.releases.map(async (line) => {
    const { receipt, factor, downloadSha256 } = line;
    const stored = receipt === null ? await findRelease(store, factor, downloadSha256) : null;
    return stored === null ? line : { ...line, receipt: releaseReceipt(stored) };
  });
  return { ...lock, views: await Promise.all(views), releases: await Promise.all(releases) };
}

/** Sets files of a store aside: they are no longer read, but can be inspected. */
async function setAside(store: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const from = join(store, path);
    const to = join(dirname(from), `${ASIDE_PREFIX}${basename(path)}`);
    await onDisk(`set ${from} aside`, async () => {
      await rm(to, { recursive: true, force: true });
      await rename(from, to);
    });
  }
}
