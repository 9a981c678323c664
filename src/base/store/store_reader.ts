import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import type { StoredRelease } from "./release/release_file.ts";
import type { StoredCheck } from "./scores/check_file.ts";
import type { StoredSet } from "./scores/set_file.ts";
import type { StoreInfo } from "./store_info.ts";

/** Name of one check file, and its time. */
export interface CheckEntry {
  /** Completion time of the check. */
  readonly lastCheckedAt: Instant;
  /** File name. */
  readonly name: string;
}

/** Content of a view file: the check that the service returned for an instant. */
export interface StoredView {
  /** The requested instant. */
  readonly at: Instant;
  /** File name of the check. */
  readonly check: string;
}

/** A directory of score sets, checks, views and releases, for reading: cache, recording and server fixture share one format. */
export interface StoreReader {
  /** Folder of the store. */
  readonly path: string;
  /** Kind and origin of the store. */
  readonly info: StoreInfo;

  /**
   * Reads a score set by its id; `null` if the store lacks it.
   *
   * @throws {IntegrityError} If the file was changed
   */
  readSet(factor: Factor, snapshotId: string): Promise<StoredSet | null>;

  /**
   * Reads a check by its file name; `null` if the store lacks it.
   *
   * @throws {IntegrityError} If the file was changed
   */
  readCheck(factor: Factor, name: string): Promise<StoredCheck | null>;

  /**
   * Reads the recorded view at exactly this instant, or `null`.
   *
   * @throws {IntegrityError} If the file was changed
   */
  readView(factor: Factor, at: Instant): Promise<StoredView | null>;

  /** Ids of all score sets of a factor, in no particular order. */
  listSets(factor: Factor): Promise<readonly string[]>;

  /** All checks of a factor, ordered by time; reads names only. */
  listChecks(factor: Factor): Promise<readonly CheckEntry[]>;

  /** The instants of all recorded views of a factor, ascending; reads names only. */
  listViews(factor: Factor): Promise<readonly Instant[]>;

  /**
   * All releases of a factor, ordered by `availableFrom`.
   *
   * @throws {IntegrityError} If the metadata of one was changed
   */
  listReleases(factor: Factor): Promise<readonly StoredRelease[]>;
}
