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
import { type Cause, isMeantInput } from "./stands_on.ts";

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

/**
 * Computes the recorded numbers of a study again, in a copy of its folder in which the corrected thing stands in place of the
 * recalled one, and with this version of the library. The study is not changed.
 *
 * @param folder Folder of the study
 * @param cause The recalled input, set or release
 * @param corrected The corrected file, or a store or study that has the corrected set or release; `null` changes nothing
 * @param run Runs a registered test
 * @param work Uses the copy for something else
 */
export async function replayNumbers(
  folder: string,
  { cause, corrected, run, work }: {
    readonly cause: Cause;
    readonly corrected: string | null;
    readonly run: RunRegistered;
    readonly work: (copy: string, lock: StudyLock) => Promise<void>;
  },
): Promise<readonly ReplayedNumber[]> {
  using place = await openTemporaryFolder("recall");
  const copy = join(place.path, basename(folder));
  const filter = (path: string) => !/(?:^|\/)(?:\.git|node_modules)$/.test(path);
  await onDisk(`copy ${folder}`, () => cp(folder, copy, { recursive: true, filter }));
  const before = (await readLockFile(copy))!.lock;
  const lock = corrected === null ? before : await replaceThing(copy, before, { cause, corrected });
  await writeWhole(join(copy, LOCK_FILE), encodeLock(lock));
  await work(copy, lock);
  const options = { environment: {} };
  await using opened = new StudyPlace({ folder: copy, mode: "frozen", lock, asOf: null, options });
  const replayed: ReplayedNumber[] = [];
  for (const entry of plansOf(lock)) {
    const result = resultsOf(lock, entry.name).at(-1);
    const look = ofKind(lock.registered, "look").find(({ sha256 }) => sha256 === result?.of);
    if (result === undefined || look === undefined) continue;
    const kept = lock.releases.some(({ downloadSha256 }) => downloadSha256 === look.release);
    const factor = lock.releases.find((release) => release.factor === entry.plan.factor);
    const release = look.release === null || kept ? look.release : factor!.downloadSha256;
    const context = { place: opened, facts: new Map() };
    const { numbers } = await repeatLook(context, { entry, look: { ...look, release }, run });
    replayed.push(...result.numbers.map((number, i) => ({
      test: entry.name,
      before: number,
      after: numbers[i]!,
      isChanged: !isSame(number, numbers[i]!),
    })));
  }
  return replayed;
}

/** Puts the corrected thing into the copy, and its line into the lock. */
async function replaceThing(
  copy: string,
  lock: StudyLock,
  { cause: { input, set, release }, corrected }: {
    readonly cause: Cause;
    readonly corrected: string;
  },
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
  const [own, id] = [await Store.open(join(copy, "store")), set ?? release!];
  const sets = await Promise.all(
    lock.sets.map((line) =>
      set !== undefined && line.snapshotId.startsWith(id) ? replaceSet(line, own, from) : line
    ),
  );
  const releases = await Promise.all(
    lock.releases.map((line) =>
      release !== undefined && line.downloadSha256.startsWith(id)
        ? replaceRelease(line, own, from)
        : line
    ),
  );
  return { ...lock, sets, releases };
}

async function replaceSet(line: LockedSet, own: Store, from: Store): Promise<LockedSet> {
  const { factor, snapshotId } = line;
  const found = await from.readSet(factor, snapshotId) ?? await sameTime(line, from);
  const known = (await own.readSet(factor, snapshotId))!;
  const set = { ...known, rows: found.rows };
  for (const path of LAYOUT.eitherSet(factor, snapshotId)) {
    await rm(join(own.path, path), { force: true });
  }
  await (await Store.open(own.path)).putSet(set);
  return { ...line, ...storedFact(set) };
}

async function sameTime({ factor, snapshotId, calculatedAt }: LockedSet, from: Store) {
  for (const id of await from.listSets(factor)) {
    const set = await from.readSet(factor, id);
    if (set?.calculatedAt === calculatedAt) return set;
  }
  throw lacks(from, `the set ${snapshotId}, or one of ${factor} calculated at ${calculatedAt}`);
}

async function replaceRelease(
  line: LockedRelease,
  own: Store,
  from: Store,
): Promise<LockedRelease> {
  const { factor, downloadSha256 } = line;
  const others = (await from.listReleases(factor))
    .filter(({ release }) => release.downloadSha256 !== downloadSha256);
  if (others.length !== 1) throw lacks(from, `one other release of ${factor}`);
  const path = LAYOUT.release(factor, others[0]!.release.downloadSha256);
  if (!await isThere(join(own.path, path))) {
    await cp(join(from.path, path), join(own.path, path), { recursive: true });
  }
  return await releaseFact(factor, others[0]!, line.isDefault);
}

function lacks({ path }: Store, required: string): ScoreframeError {
  return new ScoreframeError(
    `Cannot replay with ${path}: expected ${required} there, got none; give a store or a study that has it`,
  );
}
