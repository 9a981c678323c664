import { entriesBefore, inOrder, ofKind } from "../lock/chain.ts";
import {
  hashEntry,
  type LockedEntry,
  type LockedLook,
  type LockedPlan,
  type LockedResult,
} from "../lock/entry.ts";
import type { StudyLock } from "../lock/lock.ts";
import { heldSessions } from "./time_limit.ts";

/** Problems of the registered tests of a lock: each entry is compared with its hash, its neighbours and its plan. */
export function entryProblems(
  lock: StudyLock,
): readonly { readonly entry: LockedEntry; readonly says: string }[] {
  const entries = inOrder(lock.registered);
  return entries.flatMap((entry) => {
    const earlier = entriesBefore(entry, entries);
    const said = [
      ...chainWords(entry, earlier),
      ...(entry.kind === "plan" ? planWords(entry, earlier, { all: entries, lock }) : []),
      ...(entry.kind === "look" ? lookWords(entry, earlier, lock) : []),
      ...(entry.kind === "result" ? resultWords(entry, earlier) : []),
    ];
    return said.filter((says) => says !== false).map((says) => ({ entry, says }));
  });
}

type Said = readonly (string | false)[];

function chainWords(entry: LockedEntry, earlier: readonly LockedEntry[]): Said {
  const own = hashEntry(entry);
  const missing = entry.before.find((hash) => !earlier.some(({ sha256 }) => sha256 === hash));
  const last = earlier.map(({ at }) => at).toSorted().at(-1);
  return [
    own !== entry.sha256 && `expected its hash ${entry.sha256}, got ${own}: it was edited`,
    missing !== undefined &&
    `expected the entry ${missing} before it, got none: an entry was edited, removed or moved`,
    last !== undefined && entry.at < last &&
    `expected a time from ${last} on, that of an entry before it, got ${entry.at}`,
  ];
}

function planWords(
  entry: LockedPlan,
  earlier: readonly LockedEntry[],
  { all, lock }: { readonly all: readonly LockedEntry[]; readonly lock: StudyLock },
): Said {
  const { plan } = entry;
  // Two colleagues may have registered the same plan, each in a copy of the study.
  const isTwice = all.some((other) =>
    other !== entry && other.kind === "plan" && other.name === entry.name &&
    (earlier.includes(other) || JSON.stringify(other.plan) !== JSON.stringify(entry.plan))
  );
  const looks = ofKind(earlier, "look")
    .filter(({ last }) => last >= entry.plan.holdOutFrom).length;
  return [
    isTwice && `expected one plan named ${entry.name}, got a second`,
    looks !== entry.looksBefore &&
    `expected looks_before ${looks}, the number of looks before it, got ${entry.looksBefore}`,
    plan.prices !== null && !lock.inputs.some(({ path }) => path === plan.prices) &&
    `expected its prices ${plan.prices} among the inputs, got none of that path`,
    Object.values(plan.periods).some(({ from, to }) => (to ?? from ?? "") >= plan.holdOutFrom) &&
    `expected periods that end before the hold-out from ${plan.holdOutFrom}, got a later one`,
    plan.horizons.some((horizon, i) => horizon < 1 || horizon <= (plan.horizons[i - 1] ?? 0)) &&
    `expected horizons in ascending order, got ${plan.horizons.join(", ")}`,
  ];
}

function lookWords(entry: LockedLook, earlier: readonly LockedEntry[], lock: StudyLock) {
  const plans = ofKind(earlier, "plan").filter(({ name }) => name === entry.name);
  const plan = plans.find(({ sha256 }) => sha256 === entry.of) ?? plans[0];
  if (plan === undefined) return ["expected its plan before it, got none"];
  const number = 1 + ofKind(earlier, "look").filter(({ name }) => name === entry.name).length;
  const from = plan.plan.holdOutFrom;
  const sessions = heldSessions(from, entry.asOf);
  const isThere = lock.releases.some(({ downloadSha256, factor }) =>
    downloadSha256 === entry.release && factor === plan.plan.factor
  );
  return [
    entry.of !== plan.sha256 && `expected the plan ${plan.sha256}, got ${entry.of}`,
    entry.number !== number && `expected look ${number}, got look ${entry.number}`,
    (entry.first !== sessions[0] || entry.last !== sessions.at(-1)) &&
    `expected sessions from ${from} to ${entry.asOf}, ${sessions[0]} to ${
      sessions.at(-1)
    }, got ${entry.first} to ${entry.last}`,
    entry.asOf > lock.asOf &&
    `expected a look by the study's time ${lock.asOf}, got ${entry.asOf}`,
    (entry.release === null) !== (plan.plan.scores === "panel") &&
    `expected ${
      plan.plan.scores === "panel" ? "no release" : "a release"
    }, as planned, got ${entry.release}`,
    entry.release !== null && !isThere &&
    `expected the release ${entry.release} of ${plan.plan.factor} in the lock, got none`,
  ];
}

function resultWords(entry: LockedResult, earlier: readonly LockedEntry[]): Said {
  const looks = ofKind(earlier, "look")
    .filter(({ name, number }) => name === entry.name && number === entry.number);
  // After a merge, several looks may have one number.
  const look = looks.find(({ sha256 }) => sha256 === entry.of) ?? looks[0];
  if (look === undefined) return ["expected its look before it, got none"];
  const isTwice = ofKind(earlier, "result").some(({ of }) => of === entry.of);
  const plan = ofKind(earlier, "plan").find(({ name }) => name === entry.name);
  const samples = [...Object.keys(plan?.plan.periods ?? {}), "hold-out"];
  const required = samples.flatMap((sample) =>
    (plan?.plan.horizons ?? []).map((horizon) => `${sample} ${horizon}`)
  );
  const found = entry.numbers.map(({ sample, horizon }) => `${sample} ${horizon}`);
  return [
    entry.of !== look.sha256 && `expected the look ${look.sha256}, got ${entry.of}`,
    isTwice && "expected one result per look, got a second",
    entry.numbers.some(isImpossible) &&
    "expected a p from 0 to 1 and an IC within its interval, got others",
    found.join() !== required.join() &&
    `expected numbers of ${required.join(", ")}, as planned, got ${found.join(", ") || "none"}`,
  ];
}

function isImpossible({ meanIc, low, high, p }: LockedResult["numbers"][number]): boolean {
  const ic = meanIc ?? 0;
  return (p ?? 0) < 0 || (p ?? 0) > 1 || Math.abs(ic) > 1 || (low ?? ic) > ic || (high ?? ic) < ic;
}
