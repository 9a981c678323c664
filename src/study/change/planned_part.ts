import type { Comparison } from "../../client/compare.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { StudyLock } from "../lock/lock.ts";

/** A planned change for one factor. */
export interface PlannedChange {
  /** A set at the study's time, its release, or its list of publications up to that time. */
  readonly kind: "set" | "release" | "publications";
  /** The factor. */
  readonly factor: Factor;
  /** Id of the set, checksum of the release, or end of the list before. */
  readonly before: string;
  /** The same after. */
  readonly after: string;
  /** Number of sets published in between; for lists only. */
  readonly published?: number;
  /** Reason to keep the present one although the service offers another. */
  readonly reason?: string;
  /** Comparison of the scores; `null` for an unchanged set or release, and for a list. */
  readonly comparison: Comparison | null;
}

/** A planned change and the function that applies it to a lock. */
export interface PlannedPart {
  /** The change. */
  readonly change: PlannedChange;
  /** Applies it to a lock. */
  readonly lock: (lock: StudyLock) => StudyLock;
}
