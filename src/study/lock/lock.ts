import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { CalendarDate, Instant } from "../../base/contract/instant.ts";
import type { KnownSet } from "../../frames/vintage/known_study.ts";

/** A score set in a lock. */
export interface LockedSet extends KnownSet {
  /** Number of rows with a score. */
  readonly scored: number;
  /** Hash of the numbers. */
  readonly numbers: string;
}

/** Hash of an answer of the service, and the time at which it was received first. */
export interface LockedReceipt {
  /** Hash of a check, or of the metadata of a release. */
  readonly said: string;
  /** First receipt: `retrieved_at` of its rows. */
  readonly retrievedAt: Instant;
}

/** The check in force at an instant; in a panel of sets only the set. */
export interface LockedView {
  /** Factor of the view. */
  readonly factor: Factor;
  /** The requested instant. */
  readonly at: Instant;
  /** Set that was in force. */
  readonly snapshotId: string;
  /** Check of that instant; `null` if only the set was requested. */
  readonly check: LockedCheck | null;
  /**
   * Receipt of the check that proved the view, with a hash of its price cutoff, coverage, universe and synthetic flag. If
   * only the set was requested, another check proves it as well. `null` in a line of format 1.
   */
  readonly receipt: LockedReceipt | null;
}

/** The check of a view. */
export interface LockedCheck {
  /** Its completion time. */
  readonly lastCheckedAt: Instant;
  /** Its observation cutoff. */
  readonly dataThrough: Instant;
  /** Its status. */
  readonly status: string;
}

/** An instant before the first publication, according to the service. */
export interface LockedAbsence {
  /** Factor of the request. */
  readonly factor: Factor;
  /** The instant. */
  readonly at: Instant;
}

/** A release in a lock. */
export interface LockedRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** SHA-256 of its file. */
  readonly downloadSha256: string;
  /** `true` for the release that `history()` returns without a checksum. */
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
  /** Calculation definition; `null` if the release states none. */
  readonly factorVersion: string | null;
  /** Universe label; `null` if the release states none. */
  readonly universe: string | null;
  /** Reconstruction convention; `null` if the release states none. */
  readonly availability: string | null;
  /** Hash of the numbers. */
  readonly numbers: string;
  /** Receipt of its metadata; `null` in a line of format 1. */
  readonly receipt: LockedReceipt | null;
}

/** A file of the user's, such as prices, pinned by `study.input()`. */
export interface LockedInput {
  /** Path, relative to the folder of the study, with slashes. */
  readonly path: string;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  /** Its length. */
  readonly sizeBytes: number;
}

/** Plan of a registered test. */
export interface RegisteredPlan {
  /** Name of the test. */
  readonly name: string;
  /** Question that it answers. */
  readonly question: string;
  /** Factor that is tested. */
  readonly factor: Factor;
  /** Source of its scores: the history release, or the sets in force at the closes of sessions. */
  readonly scores: "history" | "panel";
  /** Horizons in sessions, ascending. */
  readonly horizons: readonly number[];
  /** In-sample periods by name; an end that is `null` is that of the data. */
  readonly periods: Readonly<
    Record<string, { readonly from: CalendarDate | null; readonly to: CalendarDate | null }>
  >;
  /** Tickers, or the label of the universe; `null` for all rows. */
  readonly universe: string | readonly string[] | null;
  /** Path of the prices in the folder of the study; `null` for its one input. */
  readonly prices: string | null;
  /** Number of stocks below which a session has no IC. */
  readonly minNames: number;
  /** First date that is held out. */
  readonly holdOutFrom: CalendarDate;
}

/** Common part of all entries of registered tests. */
export interface ChainedEntry {
  /** The service's time at which it was written. */
  readonly at: Instant;
  /** Name of the test. */
  readonly name: string;
  /** Hash of the entry before; `null` for the first. */
  readonly before: string | null;
  /** Hash of its line without this field. */
  readonly sha256: string;
}

/** A registered test: its plan, and the data seen before it. */
export interface LockedPlan extends ChainedEntry {
  /** Kind of the entry. */
  readonly kind: "plan";
  /** The plan. */
  readonly plan: RegisteredPlan;
  /** Number of views and releases of the lock that reached into the hold-out when it was registered. */
  readonly loadedBefore: number;
  /** Number of earlier looks at its hold-out, by other registered tests. */
  readonly looksBefore: number;
}

/** A look at a hold-out, written before its numbers are shown. */
export interface LockedLook extends ChainedEntry {
  /** Kind of the entry. */
  readonly kind: "look";
  /** 1 for the first look of the test. */
  readonly number: number;
  /** Hash of the entry of its plan. */
  readonly of: string;
  /** The study's time at the look. */
  readonly asOf: Instant;
  /** First session of the hold-out. */
  readonly first: CalendarDate;
  /** Last session of the hold-out that had closed. */
  readonly last: CalendarDate;
  /** Checksum of the release; `null` for a panel. */
  readonly release: string | null;
  /** SHA-256 of the prices. */
  readonly prices: string;
}

/** The numbers of a look. */
export interface LockedResult extends ChainedEntry {
  /** Kind of the entry. */
  readonly kind: "result";
  /** Number of the look. */
  readonly number: number;
  /** Hash of the entry of the look. */
  readonly of: string;
  /** In-sample numbers, then those of the hold-out. */
  readonly numbers: readonly RegisteredNumber[];
}

/** A line of the list `registered`. */
export type LockedEntry = LockedPlan | LockedLook | LockedResult;

/** Versions that a study was made with. They do not affect what is loaded. */
export interface LockedEnvironment {
  /** Version of this package. */
  readonly scoreframe: string;
  /** Version of the runtime. */
  readonly runtime: string;
  /** Version of nodejs-polars. */
  readonly polars: string;
}

/** Lock of a study: the data of the study, line by line. */
export interface StudyLock {
  /** The study's time: it contains nothing that was not known by then. */
  readonly asOf: Instant;
  /** Base address of the service. */
  readonly service: string;
  /** Name and parameters of the world that the service serves; `null` for any other service. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /** `true` if the service declares its numbers synthetic; `null` before the first load. */
  readonly synthetic: boolean | null;
  /** The sets. */
  readonly sets: readonly LockedSet[];
  /** The views. */
  readonly views: readonly LockedView[];
  /** The instants without a publication. */
  readonly absences: readonly LockedAbsence[];
  /** The releases. */
  readonly releases: readonly LockedRelease[];
  /** The user's files. */
  readonly inputs: readonly LockedInput[];
  /** Registered tests, looks at their hold-outs and results, each with the hash of the one before. */
  readonly registered: readonly LockedEntry[];
  /** Regular expressions for text that may differ in the outputs of its notebooks. */
  readonly ignore: readonly string[];
  /** Versions that it was made with. */
  readonly environment: LockedEnvironment;
}

/** Facts that a load adds to a lock. */
export interface LockFacts
  extends
    Partial<Pick<StudyLock, "synthetic" | "sets" | "views" | "absences" | "releases" | "inputs">> {
  /**
   * Makes these releases the defaults of `history()`.
   *
   * @default false
   */
  readonly repin?: boolean;
}

/** One line of a lock. */
export type LockedFact =
  | LockedSet
  | LockedView
  | LockedAbsence
  | LockedRelease
  | LockedInput
  | LockedEntry;

/** Name of the lock in the folder of a study. */
export const LOCK_FILE = "study.lock.json";
