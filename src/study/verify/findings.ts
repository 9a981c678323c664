import { LOCK_FILE } from "../lock/lock.ts";
import { factLine } from "../lock/lock_text.ts";

/** One thing that is wrong in a study, or harmless and worth a word. */
export interface Finding {
  /** The file, relative to the study. */
  readonly path: string;
  /** What was expected and what was found. */
  readonly says: string;
}

/** Collects what was found. */
export class Findings {
  readonly problems: Finding[] = [];
  readonly notes: Finding[] = [];

  /** Something is wrong. */
  problem(path: string, says: string): void {
    this.problems.push({ path, says });
  }

  /** Something differs, and does no harm. */
  note(path: string, says: string): void {
    this.notes.push({ path, says });
  }

  /** A line of the lock is not what the store has. */
  line(fact: Parameters<typeof factLine>[0], has: string): void {
    this.problem(LOCK_FILE, `expected ${factLine(fact)}, got ${has} from the store`);
  }
}
