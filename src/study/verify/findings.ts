import type { Store } from "../../base/store/store.ts";
import { factLine, LOCK_FILE, type LockedFact, type StudyLock } from "../lock/lock.ts";

/** A problem in a study, or a harmless difference. */
export interface Finding {
  /** The file, relative to the study. */
  readonly path: string;
  /** The expected and the found state. */
  readonly says: string;
}

/** Collects findings. */
export class Findings {
  readonly problems: Finding[] = [];
  readonly notes: Finding[] = [];
  /** Called after each line of the lock. */
  readonly step: () => void;

  constructor(step: () => void = () => {}) {
    this.step = step;
  }

  /** Adds a problem. */
  problem(path: string, says: string): void {
    this.problems.push({ path, says });
  }

  /** Adds a harmless difference. */
  note(path: string, says: string): void {
    this.notes.push({ path, says });
  }

  /** Adds a problem of the lock. */
  ofLock(says: string): void {
    this.problem(LOCK_FILE, says);
  }

  /** Adds a harmless difference of the lock. */
  noteOfLock(says: string): void {
    this.note(LOCK_FILE, says);
  }

  /** Adds a line of the lock that differs from the store. */
  line(fact: LockedFact, has: string): void {
    this.ofLock(`expected ${factLine(fact)}, got ${has} from the store`);
  }
}

/** A lock that is compared with its store. */
export interface Compared {
  /** The lock. */
  readonly lock: StudyLock;
  /** The store. */
  readonly store: Store;
  /** Findings so far. */
  readonly found: Findings;
}
