import { write } from "../../base/contract/schema.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import type { Store } from "../../base/store/store.ts";
import { factKey, LOCK_FILE, LOCK_HEAD, type StudyLock } from "../lock/lock.ts";
import { lastClose } from "../verbs/study_history.ts";
import type { Compared, Findings } from "./findings.ts";
import { type BrokenSeal, brokenSealWords } from "../lock/lock_seals.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { Environment } from "../../base/runtime/state_home.ts";
import { countText } from "../../base/wording/number_text.ts";
import { entryProblems } from "../hold_out/entry_problems.ts";
import { recallEntries } from "../hold_out/machine_record.ts";
import { plansOf } from "../hold_out/time_limit.ts";
import { inOrder, ofKind } from "../lock/chain.ts";
import type { LockedEntry } from "../lock/entry.ts";

// Clocks of a service and a machine differ.
const CLOCKS_MS = 3_600_000;

// As long as a checksum.
const LONGEST_VALUE = 64;
const ADVICE =
  `git diff shows the lines; ${commandLine()} study restore compares each line and seals the lock again`;

/**
 * Compares the head of a lock, its absences and its default releases with what the store says about them. No file of the store
 * repeats them, so some of it is only noted.
 */
export function verifyHead({ lock, store, found }: Compared): void {
  verifyService(lock, store, found);
  verifyWorld(lock, found);
  verifyTime(lock, found);
  for (const { factor, at } of lock.absences) {
    const set = lock.sets.find((known) => known.factor === factor && known.calculatedAt <= at);
    if (set !== undefined) found.line({ factor, at }, `the set published at ${set.calculatedAt}`);
  }
  for (const factor of FACTORS) {
    const releases = lock.releases.filter((known) => known.factor === factor);
    const last = releases.map(({ lastSession }) => lastSession ?? "").toSorted().at(-1) ?? "";
    const standard = releases.find(({ isDefault }) => isDefault);
    if (standard === undefined || (standard.lastSession ?? "") >= last) continue;
    found.noteOfLock(
      `the default release of ${factor} ends on ${standard.lastSession}, before another one of the lock, ${last}`,
    );
  }
}

// A study that was restored from another address has the same numbers.
function verifyService({ service }: StudyLock, { info: { origin } }: Store, found: Findings): void {
  const known = [origin.service, origin.before ?? []].flat().filter((name) => name !== undefined);
  if (known.length === 0 || known.includes(service)) return;
  found.noteOfLock(
    `the service is ${service}, and the store was loaded from ${known[0]}: the study was ` +
      "restored from there, or one was edited",
  );
}

// A world is the service's own word; what it says about versions is in the sets.
function verifyWorld({ world, synthetic, sets, releases }: StudyLock, found: Findings): void {
  if (world === null) return;
  if (synthetic === false) {
    found.ofLock(`expected the world null of numbers that are not synthetic, got one`);
  }
  const versions = (world.factorVersions ?? {}) as Readonly<Record<string, unknown>>;
  const other = [...sets, ...releases].find(({ factor, factorVersion }) =>
    versions[factor] !== undefined && factorVersion !== null && versions[factor] !== factorVersion
  );
  if (other === undefined) return;
  found.ofLock(
    `expected a world with ${other.factorVersion} as in the store, got ${versions[other.factor]}`,
  );
}

function verifyTime({ asOf, sets, views, releases }: StudyLock, found: Findings): void {
  const later = [
    ...sets.map((set) => ({ what: `the ${set.factor} set`, at: set.calculatedAt })),
    ...releases.map((release) => ({
      what: `the ${release.factor} release`,
      at: lastClose(release.lastSession) ?? asOf,
    })),
  ].find(({ at }) => at > asOf);
  if (later !== undefined) {
    found.ofLock(`${later.what} of ${later.at} looks ahead of the study's time ${asOf}`);
  }
  const received = [...views, ...releases].flatMap(({ receipt }) => receipt?.retrievedAt ?? []);
  const last = received.toSorted().at(-1);
  if (last === undefined || epochMsOf(last) + CLOCKS_MS >= epochMsOf(asOf)) return;
  found.noteOfLock(
    `nothing was received at the study's time ${asOf} or after it, the last at ${last}: the study was moved and nothing ` +
      "loaded since, or the time was edited",
  );
}

/** Finds the parts of a lock whose seals do not match; a changed line that was reported already is not repeated. */
export async function verifySeals(
  { lock, broken }: ReadLock,
  store: Store | null,
  found: Findings,
): Promise<void> {
  const isNamed = found.problems.some(({ path }) => path === LOCK_FILE);
  for (const seal of broken) {
    const { part, written } = seal;
    if (part !== "head" && written === seal.found && isNamed) continue;
    const removed = part === "views" && store !== null ? await unnamedViews(lock, store) : "";
    const has = part === "head" ? `, got ${headWords(lock)}` : "";
    found.ofLock(
      `expected ${brokenSealWords(seal)}${has}: ${whatHappened(seal)}${removed}; ${ADVICE}`,
    );
  }
}

function headWords(lock: StudyLock): string {
  return Object.entries(write(LOCK_HEAD, lock)).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name} ${text.slice(0, LONGEST_VALUE)}${text.length > LONGEST_VALUE ? "…" : ""}`;
  }).join(", ");
}

function whatHappened({ part, written, found }: BrokenSeal): string {
  if (part === "head") return "one of them or the seal was changed";
  if (written === null) return "it was removed or changed";
  if (found === written) return "a line or the seal was changed";
  const count = Math.abs(found - written);
  const lines = count === 1 ? "a line was" : `${count} lines were`;
  return `${lines} ${found < written ? "removed" : "added"}`;
}

// The store has the views of removed lines.
async function unnamedViews(lock: StudyLock, store: Store): Promise<string> {
  const named = new Set([...lock.views, ...lock.absences].map(factKey));
  const unnamed: string[] = [];
  for (const factor of FACTORS) {
    for (const at of await store.listViews(factor).catch(() => [])) {
      if (!named.has(factKey({ factor, at }))) unnamed.push(`${factor} at ${at}`);
    }
  }
  return unnamed.length === 0
    ? ""
    : ` (the store has views that no line names: ${unnamed.join(", ")})`;
}

/** Finds registered tests, looks and results that were edited, removed or moved. */
export function verifyEntries(lock: StudyLock, found: Findings): void {
  for (const { entry, says } of entryProblems(lock)) {
    found.ofLock(`the ${entry.kind} of the registered test ${entry.name}: ${says}`);
  }
  for (const { name, sha256, plan } of plansOf(lock)) {
    const look = ofKind(inOrder(lock.registered), "look").findLast(({ of }) => of === sha256);
    const inputs = lock.inputs.filter(({ path }) => plan.prices === null || path === plan.prices);
    if (look === undefined || inputs.some((input) => input.sha256 === look.prices)) continue;
    const says = `the last look of the registered test ${name}: expected its prices ` +
      `${look.prices} among the inputs, got others: they were pinned anew after the look, or the look was edited`;
    // Prices may be pinned anew for a later look; at the study's time of the last look they are its own.
    if (look.asOf === lock.asOf) found.ofLock(says);
    else found.noteOfLock(says);
  }
}

/**
 * Compares the registered tests of a lock with what stands outside of it: this machine's own record, and an entry that a
 * paper or a colleague names. A chain cannot show that its end is missing.
 */
export async function verifyRecord(
  folder: string,
  lock: StudyLock,
  found: Findings,
  head: string | null,
  environment: Environment,
): Promise<void> {
  const { lost, replaced } = await recallEntries(environment, folder, lock);
  if (lost.length > 0) {
    found.ofLock(
      `expected ${words(lost)} of its registered tests that this machine recorded, got none of ` +
        `them: the lock is an older one, or its end was removed; ${commandLine()} study ` +
        "restore adds them again",
    );
  }
  if (replaced.some(({ kind }) => kind === "look")) {
    found.noteOfLock(
      `another lock was in this folder, with ${words(replaced)} of registered tests that this ` +
        "one does not have",
    );
  }
  if (head === null || lock.registered.some(({ sha256 }) => sha256 === head)) return;
  found.ofLock(
    `expected the entry ${head} among its registered tests, got none: the lock is an older one, of another study, or its end ` +
      "was removed",
  );
}

function words(entries: readonly LockedEntry[]): string {
  const looks = entries.filter(({ kind }) => kind === "look").length;
  const last = entries.map(({ at }) => at).toSorted().at(-1)!.slice(0, 10);
  const counted = `${entries.length} ${entries.length === 1 ? "entry" : "entries"}`;
  return `${counted} (${countText(looks, "look")}, the last of ${last})`;
}
