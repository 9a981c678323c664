import type { Check } from "../../base/contract/scores/check.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { IntegrityError } from "../../base/errors.ts";
import {
  factLine,
  type LockedFact,
  type LockedSet,
  type LockedView,
  type StudyLock,
} from "../lock/lock.ts";
import { checkFact, checkReceipt, setFact, setKey } from "../replay/set_facts.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

/** A loaded view. */
export interface ViewedSet {
  /** The requested instant. */
  readonly at: Instant;
  /** The set with its check. */
  readonly set: { readonly check: Check; readonly rows: ScoreRows };
  /** Time at which the store first received the check. */
  readonly retrievedAt: Instant;
}

/** Line of the lock for a view; that of a set alone has no check. */
export function viewFact(
  at: Instant,
  check: Check,
  retrievedAt: Instant,
  every: "set" | "check" = "check",
): LockedView {
  const { factor, snapshotId } = check;
  const receipt = checkReceipt(check, retrievedAt);
  return { factor, at, snapshotId, check: every === "check" ? checkFact(check) : null, receipt };
}

/**
 * Line of the lock for a set.
 *
 * @param facts Lines of the sets that were hashed before; new ones are added
 */
export function factOf(
  facts: Map<string, LockedSet>,
  { check, rows }: ViewedSet["set"],
): LockedSet {
  const key = setKey(check);
  const known = facts.get(key);
  // A set never changes, so its rows are hashed once; its check differs between views.
  if (known !== undefined && known.tickers === rows.tickers.length) {
    return { ...known, universe: check.universe };
  }
  const fact = setFact(check, rows);
  facts.set(key, fact);
  return fact;
}

/**
 * Refuses numbers and checks that differ from the lock.
 *
 * @param facts Lines of the sets that were hashed before; new ones are added
 * @param every `check` if the check belongs to the instant, `set` if only the set does
 * @throws {IntegrityError} With the line of the lock and that of the store
 */
export function assertAsLocked(
  facts: Map<string, LockedSet>,
  lock: StudyLock,
  views: readonly ViewedSet[],
  every: "set" | "check",
): void {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const lines = new Map(lock.views.map((view) => [`${view.factor} ${view.at}`, view]));
  const received = receiptsOf(lock);
  for (const { at, set, retrievedAt } of views) {
    const { check } = set;
    const [line, view] = [sets.get(setKey(check)), lines.get(`${check.factor} ${at}`)];
    if (view !== undefined && view.snapshotId !== check.snapshotId) {
      throw notAsLocked(factLine(view), `the set ${check.snapshotId}`);
    }
    assertLine(line, () => factOf(facts, set));
    if (lock.synthetic === false && check.extra.synthetic === true) {
      throw notAsLocked('"synthetic": false', "a check of synthetic numbers");
    }
    assertLine(view, (known) => viewAsStored(known, check, retrievedAt, { received, every }));
  }
}

function assertLine<Fact extends LockedFact>(line: Fact | undefined, found: (line: Fact) => Fact) {
  if (line === undefined) return;
  const stored = factLine(found(line));
  if (stored !== factLine(line)) throw notAsLocked(factLine(line), stored);
}

/** The error of a replay whose store differs from the lock. */
export function notAsLocked(locked: string, found: string): IntegrityError {
  return new IntegrityError(
    `Cannot replay the study: expected ${locked} as its lock says, got ${found} from its store; ` +
      `${commandLine()} study verify lists every such line, and study restore loads the locked data again`,
  );
}

/** The line of a view as a check of the store says it. */
export function viewAsStored(
  view: LockedView,
  check: Check,
  retrievedAt: Instant,
  { received, every = "check" }: {
    readonly received: ReadonlyMap<string, Instant>;
    readonly every?: "set" | "check";
  },
): LockedView {
  const { snapshotId } = check;
  const receipt = checkReceipt(check, retrievedAt);
  if (every === "check" && view.check !== null) {
    return { ...view, snapshotId, check: checkFact(check), receipt: view.receipt && receipt };
  }
  // Any check proves a view of a set alone; a check in the lock has the lock's time of receipt.
  const isAsReceived = (received.get(receipt.said) ?? retrievedAt) === retrievedAt;
  return { ...view, snapshotId, receipt: isAsReceived ? view.receipt : receipt };
}

/** Times of receipt of the checks in a lock, by their hashes. */
export function receiptsOf({ views }: StudyLock): ReadonlyMap<string, Instant> {
  return new Map(
    views.flatMap(({ receipt }) => receipt === null ? [] : [[receipt.said, receipt.retrievedAt]]),
  );
}
