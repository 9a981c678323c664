import type { Check } from "../../contract/scores/check.ts";
import type { ScoreRows } from "../../contract/scores/score_rows.ts";
import type { Instant } from "../../contract/instant.ts";
import { IntegrityError } from "../../errors.ts";
import type { LockedSet, StudyLock } from "../lock/lock.ts";
import { factLine } from "../lock/lock_text.ts";
import { checkFact, setFact, setKey } from "../replay/set_facts.ts";
import { commandLine } from "../../runtime/command_line.ts";

/** What a view came to. */
export interface ViewedSet {
  /** The instant that was asked for. */
  readonly at: Instant;
  /** The set with its check. */
  readonly set: { readonly check: Check; readonly rows: ScoreRows };
}

/** Compares what comes from the store with what the lock says of it; each set is hashed once. */
export class LockedNumbers {
  readonly #facts = new Map<string, LockedSet>();

  /** What a lock says of a set. */
  factOf({ check, rows }: ViewedSet["set"]): LockedSet {
    const key = setKey(check);
    const known = this.#facts.get(key);
    // A set never changes, so that its rows need not be hashed again; the check beside it is another one each time.
    if (known !== undefined && known.tickers === rows.tickers.length) {
      return { ...known, universe: check.universe };
    }
    const fact = setFact(check, rows);
    this.#facts.set(key, fact);
    return fact;
  }

  /**
   * Refuses numbers and checks that are not those of the lock.
   *
   * @param every Whether the check belongs to the instant, or only the set
   * @throws {IntegrityError} With the line of the lock and what the store has
   */
  assertAsLocked(lock: StudyLock, views: readonly ViewedSet[], every: "set" | "check"): void {
    const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
    const locked = new Map(lock.views.map((view) => [`${view.factor} ${view.at}`, view]));
    for (const { at, set } of views) {
      const { check } = set;
      const fact = this.factOf(set);
      const line = sets.get(setKey(check));
      const view = locked.get(`${check.factor} ${at}`);
      if (view !== undefined && view.snapshotId !== check.snapshotId) {
        throw differs(factLine(view), `the set ${check.snapshotId}`);
      }
      if (line !== undefined && factLine(line) !== factLine(fact)) {
        throw differs(factLine(line), factLine(fact));
      }
      if (every === "set" || view === undefined || view.check === null) continue;
      const found = { ...view, check: checkFact(check) };
      if (factLine(found) !== factLine(view)) throw differs(factLine(view), factLine(found));
    }
  }
}

function differs(locked: string, found: string): IntegrityError {
  return new IntegrityError(
    `Cannot replay the study: expected ${locked} as its lock says, got ${found} from its store; ` +
      `${commandLine()} study verify names every such line, and restore loads again what the lock says`,
  );
}
