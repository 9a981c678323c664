import type { Factor } from "../../contract/factor.ts";
import type { CalendarDate, Instant } from "../../contract/instant.ts";
import type { KnownSet } from "../../vintage/known_study.ts";

/** A score set that a study stands on. */
export interface LockedSet extends KnownSet {
  /** Number of rows with a score. */
  readonly scored: number;
  /** Hash of the numbers. */
  readonly numbers: string;
}

/** What was in force at an instant: a check, or of a panel of sets only the set. */
export interface LockedView {
  /** Factor of the view. */
  readonly factor: Factor;
  /** The instant that was asked for. */
  readonly at: Instant;
  /** Set that was in force. */
  readonly snapshotId: string;
  /** The check of that instant; `null` if only the set was asked for. */
  readonly check: LockedCheck | null;
}

/** The check of a view. */
export interface LockedCheck {
  /** When it was completed. */
  readonly lastCheckedAt: Instant;
  /** Its observation cutoff. */
  readonly dataThrough: Instant;
  /** Its status. */
  readonly status: string;
}

/** An instant for which the service said that nothing was published yet. */
export interface LockedAbsence {
  /** Factor that was asked for. */
  readonly factor: Factor;
  /** The instant. */
  readonly at: Instant;
}

/** A release that a study stands on. */
export interface LockedRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** SHA-256 of its file. */
  readonly downloadSha256: string;
  /** Whether it is the one that `history()` gives without a checksum. */
  readonly isDefault: boolean;
  /** Number of rows. */
  readonly rows: number;
  /** Number of rows with a score. */
  readonly scored: number;
  /** Number of sessions. */
  readonly sessions: number;
  /** First session; `null` if there is none. */
  readonly firstSession: CalendarDate | null;
  /** Last session; `null` if there is none. */
  readonly lastSession: CalendarDate | null;
  /** Calculation definition, if the release says so. */
  readonly factorVersion: string | null;
  /** Universe label, if the release says so. */
  readonly universe: string | null;
  /** Reconstruction convention, if the release says so. */
  readonly availability: string | null;
  /** Hash of the numbers. */
  readonly numbers: string;
}

/** What a study was made with. None of it changes what is loaded. */
export interface LockedEnvironment {
  /** Version of this package. */
  readonly scoreframe: string;
  /** Version of the runtime. */
  readonly runtime: string;
  /** Version of nodejs-polars. */
  readonly polars: string;
}

/** What a study stands on. */
export interface StudyLock {
  /** The study's time: nothing in it knows more. */
  readonly asOf: Instant;
  /** Base address of the service. */
  readonly service: string;
  /** Name and parameters of the world that the service plays; `null` of any other service. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /** Whether the service declared its numbers as made up; `null` before the first load. */
  readonly synthetic: boolean | null;
  /** The sets. */
  readonly sets: readonly LockedSet[];
  /** The views. */
  readonly views: readonly LockedView[];
  /** The instants without a publication. */
  readonly absences: readonly LockedAbsence[];
  /** The releases. */
  readonly releases: readonly LockedRelease[];
  /** Regular expressions of what may differ in the outputs of its notebooks. */
  readonly ignore: readonly string[];
  /** What it was made with. */
  readonly environment: LockedEnvironment;
}

/** What a load adds to a lock. */
export interface LockFacts
  extends Partial<Pick<StudyLock, "synthetic" | "sets" | "views" | "absences" | "releases">> {
  /**
   * Whether the releases take the place of those that `history()` gave without a checksum.
   *
   * @default false
   */
  readonly repin?: boolean;
}

/** Name of the lock in the folder of a study. */
export const LOCK_FILE = "study.lock.json";
