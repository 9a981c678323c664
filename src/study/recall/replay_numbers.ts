import { cp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { isFile, isThere } from "../../base/disk/files.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import { Store } from "../../base/store/store.ts";
import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { resultsOf } from "../hold_out/registered_text.ts";
import { plansOf } from "../hold_out/time_limit.ts";
import { ofKind } from "../lock/chain.ts";
import { LOCK_FILE, type LockedRelease, type LockedSet, type StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { encodeLock } from "../lock/lock_text.ts";
import { isSame, repeatLook, type RunRegistered } from "../register/open_hold_out.ts";
import { releaseFact } from "../replay/release_facts.ts";
import { storedFact } from "../replay/set_facts.ts";
import { StudyPlace } from "../study_place.ts";
import type { CellDifference } from "../run/run_notebooks.ts";
import { type Cause, isMeant, isMeantInput } from "./stands_on.ts";

/** A recorded number of a registered test, before and after. */
export interface ReplayedNumber {
  /** Name of the test. */
  readonly test: string;
  /** As the lock has it. */
  readonly before: RegisteredNumber;
  /** Computed again. */
  readonly after: RegisteredNumber;
  /** `true` if they differ by more than the last digits. */
  readonly isChanged: boolean;
}

/** A study computed again. */
export interface Replay {
  /** The recorded numbers of its registered tests. */
  readonly numbers: readonly ReplayedNumber[];
  /** Cells of its notebooks whose outputs differ; `null` if no notebook was run. */
  readonly cells: readonly CellDifference[] | null;
}

/**
 * Computes the recorded numbers of a study again, in a copy of its folder in which the corrected thing stands in place of the
 * recalled one, and with this version of the library. The study is not changed.
 *
 * @param folder Folder of the study
 * @param cause The recalled input, set or release
 * @param corrected The corrected file, or a store or study that has the corrected set or release; `null` changes nothing
 * @param run Runs a registered test
 * @param isRun Runs the notebooks of the copy, too
 */
export async function replayNumbers(
  folder: string,
  { cause, corrected, run, isRun = false }: {
    readonly cause: Cause;
    readonly corrected: string | null;
    readonly run: RunRegistered;
    readonly isRun?: boolean;
  },
): Promise<Replay> {
  using place = await openTemporaryFolder("recall");
  const copy = join(place.path, basename(folder));
  const filter = (path: string) => !/(?:^|\/)(?:\.git|node_modules)$/.test(path);
  await onDisk(`copy ${folder}`, () => cp(folder, copy, { recursive: true, filter }));
  const before = (await readLockFile(copy))!.lock;
  const lock = corrected === null ? before : await replaceThing(copy, before, cause, corrected);
  await writeWhole(join(copy, LOCK_FILE), encodeLock(lock));
  const cells = isRun ? await runCells(copy, lock) : null;
  const options = { environment: {} };
  await using opened = new StudyPlace({ folder: copy, mode: "frozen", lock, asOf: null, options });
  const numbers: ReplayedNumber[] = [];
  for (const entry of plansOf(lock)) {
    const result = resultsOf(lock, entry.name).at(-1);
    const look = ofKind(lock.registered, "look").find(({ sha256 }) => sha256 === result?.of);
    if (result === undefined || look === undefined) continue;
    const kept = lock.releases.some(({ downloadSha256 }) => downloadSha256 === look.release);
    const factor = lock.releases.find((release) => release.factor === entry.plan.factor);
    const release = look.release === null || kept ? look.release : factor!.downloadSha256;
    const context = { place: opened, facts: new Map() };
    const again = await repeatLook(context, entry, { ...look, release }, run);
    numbers.push(...result.numbers.map((number, i) => {
      const after = again.numbers[i]!;
      return { test: entry.name, before: number, after, isChanged: !isSame(number, after) };
    }));
  }
  return { numbers, cells };
}

// Only a run needs Jupyter.
async function runCells(copy: string, { ignore }: StudyLock): Promise<Replay["cells"]> {
  const { runNotebooks } = await import("../run/run_notebooks.ts");
  return (await runNotebooks(copy, { ignore })).differences;
}

/** Puts the corrected thing into the copy, and its line into the lock. */
async function replaceThing(
  copy: string,
  lock: StudyLock,
  { input, set, release }: Cause,
  corrected: string,
): Promise<StudyLock> {
  if (input !== undefined) {
    if (!await isFile(corrected)) {
      throw new ScoreframeError(
        `Cannot replay: expected the corrected file, got no file ${corrected}; give it with --with FILE`,
      );
    }
    const inputs = await Promise.all(lock.inputs.map(async (line) => {
      if (!isMeantInput(line, input)) return line;
      await cp(corrected, join(copy, line.path));
      return { ...line, ...await hashFile(corrected) };
    }));
    return { ...lock, inputs };
  }
  const isStore = await isFile(join(corrected, LAYOUT.info));
  const from = await Store.open(isStore ? corrected : join(corrected, "store"));
  const own = await Store.open(join(copy, "store"));
  const sets = lock.sets.map((line) =>
    isMeant(line.snapshotId, set) ? replaceSet(line, own, from) : line
  );
  const releases = lock.releases.map((line) =>
    isMeant(line.downloadSha256, release) ? replaceRelease(line, own, from) : line
  );
  return { ...lock, sets: await Promise.all(sets), releases: await Promise.all(releases) };
}

async function replaceSet(line: LockedSet, own: Store, from: Store): Promise<LockedSet> {
  const { factor, snapshotId } = line;
  const { rows } = await correctedSet(line, from);
  const set = { ...(await own.readSet(factor, snapshotId))!, rows };
  for (const path of LAYOUT.eitherSet(factor, snapshotId)) {
    await rm(join(own.path, path), { force: true });
  }
  await (await Store.open(own.path)).putSet(set);
  return { ...line, ...storedFact(set) };
}

// A revision may have an id of its own.
async function correctedSet({ factor, snapshotId, calculatedAt }: LockedSet, from: Store) {
  for (const id of [snapshotId, ...await from.listSets(factor)]) {
    const set = await from.readSet(factor, id);
    if (set !== null && (id === snapshotId || set.calculatedAt === calculatedAt)) return set;
  }
  throw lacks(from, `the set ${snapshotId}, or one of ${factor} calculated at ${calculatedAt}`);
}

async function replaceRelease(
  { factor, downloadSha256, isDefault }: LockedRelease,
  own: Store,
  from: Store,
): Promise<LockedRelease> {
  const [other, ...rest] = (await from.listReleases(factor))
    .filter(({ release }) => release.downloadSha256 !== downloadSha256);
  if (other === undefined || rest.length > 0) throw lacks(from, `one other release of ${factor}`);
  const path = LAYOUT.release(factor, other.release.downloadSha256);
  if (!await isThere(join(own.path, path))) {
    await cp(join(from.path, path), join(own.path, path), { recursive: true });
  }
  return await releaseFact(factor, other, isDefault);
}

function lacks({ path }: Store, required: string): ScoreframeError {
  return new ScoreframeError(
    `Cannot replay with ${path}: expected ${required} there, got none; give a store or a study that has it`,
  );
}
