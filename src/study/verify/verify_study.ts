import { join } from "node:path";
import process from "node:process";
import { verifyDerived } from "../../client/release/verify_derived.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { StorageError } from "../../base/errors.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import type { StoredSet } from "../../base/store/scores/set_file.ts";
import { Store } from "../../base/store/store.ts";
import { verifyStore } from "../../base/store/verify_store.ts";
import { currentEnvironment } from "../current_environment.ts";
import { factLine, LOCK_FILE, type LockedSet, type StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { setKey, storedFact } from "../replay/set_facts.ts";
import { type Compared, type Finding, Findings } from "./findings.ts";
import { noteUnknown, verifyReleases, verifyViews } from "./verify_store_lines.ts";
import { verifyEntries, verifyHead, verifyRecord, verifySeals } from "./verify_lock.ts";
import { noteUnsigned, verifyManifest } from "./verify_manifest.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { Environment } from "../../base/runtime/state_home.ts";
import { countText } from "../../base/wording/number_text.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { checkSignatures } from "../sign/check_signatures.ts";
import { MANIFEST } from "../share/manifest.ts";

/** Result of a verification of a study. */
export interface StudyReport {
  /** Numbers of sets, views and releases of the lock that were compared with the store. */
  readonly compared: {
    readonly sets: number;
    readonly views: number;
    readonly releases: number;
  };
  /** Problems; empty for a sound study. */
  readonly problems: readonly Finding[];
  /** Harmless differences. */
  readonly notes: readonly Finding[];
}

/** Options of a verification. */
export interface VerifyStudyOptions {
  /**
   * Path of an `allowed_signers` file of ssh-keygen; one of its signers must have signed the lock.
   *
   * @default null, any key
   */
  readonly signers?: string | null;
  /**
   * SHA-256 of an entry of the registered tests, as a paper or a colleague names it; the lock must have it.
   *
   * @default null
   */
  readonly head?: string | null;
  /**
   * Environment variables, which name the folder of this machine's own record of looks.
   *
   * @default that of the process
   */
  readonly environment?: Environment;
}

/** Called with the progress of a verification. */
export type OnProgress = (done: number, total: number) => void;

/** Compares a lock with its store, line by line, without seals, inputs, signatures and manifest. */
export async function verifyContent(folder: string, lock: StudyLock): Promise<readonly Finding[]> {
  const found = new Findings();
  verifyEntries(lock, found);
  const store = await openStore(folder, found);
  if (store !== null) await verifyLines({ lock, store, found });
  return found.problems;
}

type Rows = ReadonlyMap<string, Omit<LockedSet, "universe">>;

/**
 * Verifies a study from end to end: the store is sound, each line of the lock agrees with the store, and the numbers have
 * their hashes in the lock.
 *
 * @param folder Folder of the study
 * @param onProgress Called after each line
 * @throws {StorageError} If the folder has no lock
 * @throws {IntegrityError} If its lock is malformed; the message names the line
 */
export async function verifyStudy(
  folder: string,
  onProgress: OnProgress = () => {},
  { signers = null, head = null, environment = process.env }: VerifyStudyOptions = {},
): Promise<StudyReport> {
  const read = await readLockFile(folder);
  if (read === null) {
    throw new StorageError(
      `Cannot verify ${folder}: expected a study.lock.json, got none; give the folder of a study`,
    );
  }
  const { lock } = read;
  const { sets, views, releases } = lock;
  const compared = { sets: sets.length, views: views.length, releases: releases.length };
  const total = compared.sets + compared.views + compared.releases;
  let done = 0;
  const found = new Findings(() => onProgress(++done, total));
  await findLockProblems(read, found);
  const store = await openStore(folder, found);
  if (store !== null) {
    await verifyLines({ lock, store, found });
    await noteUnknown(store.path, found);
    if (!store.isSealed) {
      found.note(
        join("store", LAYOUT.info),
        "without seals: version 0.1.0 wrote none, or they were removed; origins and times of receipt are under no hash",
      );
    }
  }
  verifyEntries(lock, found);
  await verifyRecord(folder, lock, found, head, environment);
  await verifyInputs(folder, lock, found);
  await verifySeals(read, store, found);
  const isSigned = await verifySignatures(folder, lock, signers, found);
  await verifyManifest({ folder, lock, isSigned }, found);
  return { compared, problems: found.problems, notes: found.notes };
}

async function openStore(folder: string, found: Findings): Promise<Store | null> {
  try {
    return await Store.open(join(folder, "store"));
  } catch (error) {
    const advice = `${commandLine()} study restore loads it again`;
    found.problem("store", `${(error as Error).message}; ${advice}`);
    return null;
  }
}

async function findLockProblems({ lock, broken, isNormal, format }: ReadLock, found: Findings) {
  const unsealed =
    [...lock.views, ...lock.releases].filter(({ receipt }) => receipt === null).length;
  if (unsealed > 0) {
    found.noteOfLock(
      `${countText(unsealed, "line")} of format 1, which ${unsealed === 1 ? "does" : "do"} not ` +
        `seal price cutoff, coverage and time of receipt: ${commandLine()} study restore adds ` +
        "them",
    );
  }
  if (broken.length === 0 && !isNormal && format !== 1) {
    found.noteOfLock("the text is not in its normal form, which changes no fact (harmless)");
  }
  for (const view of lock.views.filter(({ at }) => at > lock.asOf)) {
    found.ofLock(`${factLine(view)} looks ahead of the study's time ${lock.asOf}`);
  }
  const now = await currentEnvironment();
  for (const name of ["scoreframe", "runtime", "polars"] as const) {
    if (now[name] === lock.environment[name]) continue;
    const versions = `${lock.environment[name]}, this process has ${now[name]}`;
    found.noteOfLock(
      `created with ${name} ${versions} (harmless: no number of the lock depends on it)`,
    );
  }
}

async function verifyLines(compared: Compared): Promise<void> {
  const { lock, store, found } = compared;
  const rows = new Map<string, Omit<LockedSet, "universe">>();
  const locked = new Set(lock.sets.map(setKey));
  const onSet = (set: StoredSet) => {
    const key = setKey(set);
    // Reading the sets is most of the work.
    if (locked.has(key) && !rows.has(key)) found.step();
    rows.set(key, storedFact(set));
  };
  const report = await verifyStore(store, { onSet });
  for (const { path, problem } of [...report.problems, ...await verifyDerived(store)]) {
    found.problem(join("store", path), problem);
  }
  for (const path of report.leftovers) {
    found.note(join("store", path), "left behind by an interrupted process (harmless)");
  }
  verifySets(lock, rows, found);
  await verifyViews(compared);
  await verifySynthetic(compared);
  verifyHead(compared);
  await verifyReleases(compared);
}

function verifySets(lock: StudyLock, rows: Rows, found: Findings): void {
  for (const set of lock.sets) {
    const stored = rows.get(setKey(set));
    const paths = LAYOUT.eitherSet(set.factor, set.snapshotId).map((path) => join("store", path));
    if (stored === undefined) {
      found.step();
      // A damaged file is reported by the verification of the store; it is not missing.
      const isNamed = found.problems.some((problem) => paths.includes(problem.path));
      if (!isNamed) found.problem(paths.at(-1)!, "the lock has this set, but its file is missing");
    } else {
      const fact = { ...stored, universe: set.universe };
      if (factLine(fact) !== factLine(set)) found.line(set, factLine(fact));
    }
  }
  const locked = new Set(lock.sets.map(setKey));
  const others = [...rows.keys()].filter((key) => !locked.has(key)).length;
  if (others === 0) return;
  found.note("store", `${others} sets that the lock does not name (harmless; gc removes them)`);
}

/** Compares each input of a study with its line in the lock. */
async function verifyInputs(folder: string, lock: StudyLock, found: Findings): Promise<void> {
  for (const input of lock.inputs) {
    const file = await hashFile(join(folder, input.path)).catch((error: Error) => error);
    if (file instanceof Error) {
      const isMissing = "code" in file && file.code === "ENOENT";
      found.problem(
        input.path,
        isMissing
          ? "the lock has this input, but its file is missing: ask its author for it, because an export may leave it out"
          : `the lock has this input, but its file cannot be read: "${file.message}"`,
      );
      continue;
    }
    const [pinned, has] = [factLine(input), factLine({ path: input.path, ...file })];
    if (pinned === has) continue;
    found.problem(input.path, `expected the file as pinned, ${pinned} in ${LOCK_FILE}, got ${has}`);
  }
}

/**
 * Checks the signatures of a study.
 *
 * @returns `true` if the manifest has a valid one, which makes every edited file a problem
 */
async function verifySignatures(
  folder: string,
  lock: StudyLock,
  signers: string | null,
  found: Findings,
): Promise<boolean> {
  const checked = await checkSignatures(folder, signers);
  for (const { path, isGood, says } of checked) {
    if (isGood) found.note(path, says);
    else found.problem(path, says);
  }
  const isSigned = checked.some(({ path, isGood }) => path === MANIFEST && isGood);
  if (signers !== null) await noteUnsigned({ folder, lock, isSigned }, found);
  return isSigned;
}

/** Finds synthetic data under a lock whose head does not declare it. */
async function verifySynthetic({ lock, store, found }: Compared): Promise<void> {
  if (lock.synthetic === true) return;
  const contradict = (what: string) =>
    found.ofLock(
      `expected "synthetic": true, because ${what} in the store is synthetic, got ${lock.synthetic}`,
    );
  for (const factor of FACTORS) {
    for (const { name } of await store.listChecks(factor).catch(() => [])) {
      // A damaged file is reported by the verification of the store.
      const check = (await store.readCheck(factor, name).catch(() => null))?.check;
      if (check?.extra.synthetic !== true) continue;
      return contradict(`the ${factor} check of ${check.lastCheckedAt}`);
    }
    const releases = await store.listReleases(factor).catch(() => []);
    if (!releases.some(({ release }) => release.extra.synthetic === true)) continue;
    return contradict(`a release of ${factor}`);
  }
}
