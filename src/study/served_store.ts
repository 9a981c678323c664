import { join } from "node:path";
import type { Factor } from "../base/contract/factor.ts";
import type { Instant } from "../base/contract/instant.ts";
import type { StoredRelease } from "../base/store/release/release_file.ts";
import type { StoredCheck } from "../base/store/scores/check_file.ts";
import type { StoredSet } from "../base/store/scores/set_file.ts";
import { Store } from "../base/store/store.ts";
import type { StoreInfo } from "../base/store/store_info.ts";
import type { CheckEntry, StoredView, StoreReader } from "../base/store/store_reader.ts";
import { type TimeLimit, timeLimit } from "./hold_out/time_limit.ts";
import type { LockedRelease, StudyLock } from "./lock/lock.ts";

/**
 * Store of a study for a server: what the study shows, and nothing else. It has the releases of the lock from the study's time
 * on, although they were received after it, and nothing of a hold-out, which a server cannot open.
 */
export class ServedStore implements StoreReader {
  readonly path: string;
  readonly info: StoreInfo;
  /** The time through which the study shows data, and its hold-out. */
  readonly limit: TimeLimit;
  /** Releases of the lock that reach into the hold-out. */
  readonly withheld: readonly LockedRelease[];
  readonly #store: Store;
  readonly #releases: readonly LockedRelease[];

  private constructor(store: Store, lock: StudyLock) {
    this.#store = store;
    this.path = store.path;
    this.info = store.info;
    this.limit = timeLimit(lock, new Set());
    const { heldOut } = this.limit;
    const isHeld = ({ lastSession }: LockedRelease) =>
      heldOut !== null && (lastSession ?? "") >= heldOut.from;
    this.withheld = lock.releases.filter(isHeld);
    this.#releases = lock.releases.filter((line) => !isHeld(line));
  }

  /**
   * Opens the store of a study.
   *
   * @throws {StorageError} If it cannot be read
   */
  static async open(folder: string, lock: StudyLock): Promise<ServedStore> {
    return new ServedStore(await Store.open(join(folder, "store")), lock);
  }

  async readSet(factor: Factor, snapshotId: string): Promise<StoredSet | null> {
    const set = await this.#store.readSet(factor, snapshotId);
    return set !== null && set.calculatedAt <= this.limit.through ? set : null;
  }

  readCheck(factor: Factor, name: string): Promise<StoredCheck | null> {
    return this.#store.readCheck(factor, name);
  }

  async readView(factor: Factor, at: Instant): Promise<StoredView | null> {
    return at <= this.limit.through ? await this.#store.readView(factor, at) : null;
  }

  listSets(factor: Factor): Promise<readonly string[]> {
    return this.#store.listSets(factor);
  }

  async listChecks(factor: Factor): Promise<readonly CheckEntry[]> {
    const entries = await this.#store.listChecks(factor);
    return entries.filter(({ lastCheckedAt }) => lastCheckedAt <= this.limit.through);
  }

  async listViews(factor: Factor): Promise<readonly Instant[]> {
    return (await this.#store.listViews(factor)).filter((at) => at <= this.limit.through);
  }

  /** The releases of the lock; the default one, which a server offers, is last. */
  async listReleases(factor: Factor): Promise<readonly StoredRelease[]> {
    const lines = new Map(this.#releases.map((line) => [line.downloadSha256, line]));
    const { through } = this.limit;
    const rank = ({ release }: StoredRelease) =>
      Number(lines.get(release.downloadSha256)!.isDefault);
    return (await this.#store.listReleases(factor))
      .filter(({ release }) => lines.get(release.downloadSha256)?.factor === factor)
      .map((stored) =>
        stored.availableFrom > through ? { ...stored, availableFrom: through } : stored
      )
      .toSorted((a, b) => rank(a) - rank(b));
  }
}
