import type { Check } from "../../base/contract/scores/check.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { IntegrityError } from "../../base/errors.ts";
import {
  factLine,
  type LockedReceipt,
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
  { at, set: { check }, retrievedAt }: Pick<ViewedSet, "at" | "retrievedAt"> & {
    readonly set: Pick<ViewedSet["set"], "check">;
  },
  every: "set" | "check" = "check",
): LockedView {
  const { factor, snapshotId } = check;
  const receipt = checkReceipt(check, retrievedAt);
  return { factor, at, snapshotId, check: every === "check" ? checkFact(check) : null, receipt };
}

/** A set or check in a store that differs from the lock. */
export interface LockDifference extends Pick<ViewedSet, "set"> {
  /** The line of the lock. */
  readonly locked: string;
  /** Description of the store's content. */
  readonly found: string;
}

/** Compares data of the store with the lock; each set is hashed once. */
export class LockedNumbers {
  readonly #facts: Map<string, LockedSet>;

  /**
   * Called for each load.
   *
   * @param facts Lines of the sets that were hashed before; new ones are added
   */
  constructor(facts: Map<string, LockedSet>) {
    this.#facts = facts;
  }

  /** Line of the lock for a set. */
  factOf({ check, rows }: ViewedSet["set"]): LockedSet {
    const key = setKey(check);
    const known = this.#facts.get(key);
    // A set never changes, so its rows are hashed once; its check differs between views.
    if (known !== undefined && known.tickers === rows.tickers.length) {
      return { ...known, universe: check.universe };
    }
    const fact = setFact(check, rows);
    this.#facts.set(key, fact);
    return fact;
  }

  /**
   * Refuses numbers and checks that differ from the lock.
   *
   * @param every `check` if the check belongs to the instant, `set` if only the set does
   * @throws {IntegrityError} With the line of the lock and that of the store
   */
  assertAsLocked(lock: StudyLock, views: readonly ViewedSet[], every: "set" | "check"): void {
    for (const { locked, found } of this.differences(lock, views, every)) {
      throw new IntegrityError(
        `Cannot replay the study: expected ${locked} as its lock says, got ${found} from its store; ` +
          `${commandLine()} study verify lists every such line, and study restore loads the locked data again`,
      );
    }
  }

  /** Views whose numbers or checks differ from the lock. */
  *differences(
    lock: StudyLock,
    views: readonly ViewedSet[],
    every: "set" | "check",
  ): Generator<LockDifference> {
    const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
    const lines = new Map(lock.views.map((view) => [`${view.factor} ${view.at}`, view]));
    const received = receiptsOf(lock);
    for (const { at, set, retrievedAt } of views) {
      const { check } = set;
      const line = sets.get(setKey(check));
      const view = lines.get(`${check.factor} ${at}`);
      const differs = (locked: string, found: string) => ({ set, locked, found });
      if (view !== undefined && view.snapshotId !== check.snapshotId) {
        yield differs(factLine(view), `the set ${check.snapshotId}`);
        continue;
      }
      const fact = this.factOf(set);
      if (line !== undefined && factLine(line) !== factLine(fact)) {
        yield differs(factLine(line), factLine(fact));
        continue;
      }
      if (lock.synthetic === false && check.extra.synthetic === true) {
        yield differs('"synthetic": false', "a check of synthetic numbers");
      }
      const receipt = checkReceipt(check, retrievedAt);
      const found = every === "check" && view !== undefined && view.check !== null
        ? { ...view, check: checkFact(check), receipt: view.receipt && receipt }
        : view && { ...view, receipt: sameCheck(view, receipt, received) };
      if (found === undefined || factLine(found) === factLine(view!)) continue;
      yield differs(factLine(view!), factLine(found));
    }
  }
}

/** Times of receipt of the checks in a lock, by their hashes. */
export function receiptsOf({ views }: StudyLock): ReadonlyMap<string, Instant> {
  return new Map(
    views.flatMap(({ receipt }) => receipt === null ? [] : [[receipt.said, receipt.retrievedAt]]),
  );
}

// Any check proves a view of a set alone; a check in the lock has the lock's time of receipt.
function sameCheck(
  view: LockedView,
  receipt: LockedReceipt,
  received: ReadonlyMap<string, Instant>,
): LockedReceipt | null {
  const known = received.get(receipt.said);
  return known === undefined || known === receipt.retrievedAt ? view.receipt : receipt;
}
