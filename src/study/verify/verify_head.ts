import { FACTORS } from "../../base/contract/factor.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import type { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { lastClose } from "../verbs/study_history.ts";
import type { Findings } from "./findings.ts";

// Clocks of a service and a machine differ.
const CLOCKS_MS = 3_600_000;

/**
 * Compares the head of a lock, its absences and its default releases with what the store says about them. No file of the store
 * repeats them, so some of it is only noted.
 */
export function verifyHead(lock: StudyLock, store: Store, found: Findings): void {
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
