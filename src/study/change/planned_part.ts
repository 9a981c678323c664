import type { Comparison } from "../../client/compare.ts";
import type { Factor } from "../../contract/factor.ts";
import type { StudyLock } from "../lock/lock.ts";

/** What would change for one factor. */
export interface PlannedChange {
  /** A set at the study's time, its release, or its list of publications up to that time. */
  readonly kind: "set" | "release" | "publications";
  /** The factor. */
  readonly factor: Factor;
  /** Id of the set, checksum of the release, or end of the list before. */
  readonly before: string;
  /** The same after. */
  readonly after: string;
  /** How many sets were published in between; of a list alone. */
  readonly published?: number;
  /** Why it stays although something else is offered, if so. */
  readonly reason?: string;
  /** What changed at the level of scores; `null` if it is the same set or release, or a list. */
  readonly comparison: Comparison | null;
}

/** One change, and how a lock becomes the one with it. */
export interface PlannedPart {
  /** The change. */
  readonly change: PlannedChange;
  /** Puts it into a lock. */
  readonly lock: (lock: StudyLock) => StudyLock;
}
