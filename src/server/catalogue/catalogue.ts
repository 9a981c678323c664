import { join } from "node:path";
import type { Check } from "../../contract/scores/check.ts";
import { type Factor, scoreNameOf } from "../../contract/factor.ts";
import { type Instant, instantOf } from "../../contract/instant.ts";
import { encodeScoreRows } from "../../contract/scores/score_rows.ts";
import type { StoredCheck } from "../../store/check_file.ts";
import { LAYOUT } from "../../store/layout.ts";
import type { StoredRelease } from "../../store/release_file.ts";
import { lastCheckNotAfter, readCheckGroup, selectCheckAt } from "../../store/select_check.ts";
import type { StoredSet } from "../../store/set_file.ts";
import type { CheckEntry, Store } from "../../store/store.ts";
import { FolderCache } from "./folder_cache.ts";
import { LruCache } from "./lru_cache.ts";
import type { Timeline } from "../timeline/timeline.ts";

const MAX_SET_BYTES = 64 << 20;
const MAX_CHECKS = 4096;

/** A published set with its rows as JSON text. */
export interface PreparedSet {
  /** The set. */
  readonly set: StoredSet;
  /** The `scores` array as JSON. */
  readonly rowsJson: string;
}

/** Which check answers an instant: one, none, or unknown because a partial recording proves nothing there. */
export type Selection = StoredCheck | "none" | "unproved";

/** First and last of some checks. */
export interface CheckSpan {
  /** Time of the first. */
  readonly first: Instant;
  /** Time of the last. */
  readonly last: Instant;
}

/** What a server's store holds, read when it is asked for and remembered within bounds. */
export class Catalogue {
  readonly #store: Store;
  readonly #timeline: () => Timeline;
  readonly #checkLists: Readonly<Record<Factor, FolderCache<readonly CheckEntry[]>>>;
  readonly #releaseLists: Readonly<Record<Factor, FolderCache<readonly StoredRelease[]>>>;
  readonly #checks = new LruCache<StoredCheck>(MAX_CHECKS);
  readonly #sets = new LruCache<PreparedSet>(MAX_SET_BYTES);

  /**
   * @param store The store to serve
   * @param timeline What happens to the service; asked anew for each request
   */
  constructor(store: Store, timeline: () => Timeline) {
    this.#store = store;
    this.#timeline = timeline;
    const checks = (factor: Factor) =>
      new FolderCache(join(store.path, LAYOUT.checks(factor)), () => store.listChecks(factor));
    const releases = (factor: Factor) =>
      new FolderCache(join(store.path, LAYOUT.releases(factor)), () => store.listReleases(factor));
    this.#checkLists = { ecpnd: checks("ecpnd"), ecqdi: checks("ecqdi") };
    this.#releaseLists = { ecpnd: releases("ecpnd"), ecqdi: releases("ecqdi") };
  }

  /** First and last check of a factor in the store, or `null`. */
  async storedSpan(factor: Factor): Promise<CheckSpan | null> {
    return spanOf(await this.#checkLists[factor].get());
  }

  /** First and last check of a factor that the world outside can have seen by a time, or `null`. */
  async shownSpan(factor: Factor, nowMs: number): Promise<CheckSpan | null> {
    const now = instantOf(nowMs);
    const timeline = this.#timeline();
    const entries = await this.#checkLists[factor].get();
    return spanOf(
      entries.filter(({ lastCheckedAt }) =>
        lastCheckedAt <= now && !timeline.hides(factor, lastCheckedAt)
      ),
    );
  }

  /** The latest check completed no later than a time. */
  async latest(factor: Factor, nowMs: number): Promise<StoredCheck | "none"> {
    return await this.#lastNotAfter(factor, instantOf(nowMs));
  }

  /** The check that answers an `at` request, as far as the store proves it. */
  async at(factor: Factor, at: Instant): Promise<Selection> {
    const { complete } = this.#store.info;
    // Of a complete store the server is the service: nothing can have been checked that it does not hold.
    if (complete !== null) {
      return at < complete.from ? "none" : await this.#lastNotAfter(factor, at);
    }
    const selection = await selectCheckAt(this.#store, factor, at);
    if (!selection.known) return "unproved";
    const { stored } = selection;
    if (stored === null) return "none";
    // What would have answered instead of a hidden check is not in the recording.
    const isHidden = this.#timeline().hides(factor, stored.check.lastCheckedAt);
    return isHidden ? "unproved" : this.#shaped(stored);
  }

  /** The check with which a set was published; "unproved" if the store has the set without it, as it was recorded. */
  async publication(factor: Factor, snapshotId: string): Promise<Selection> {
    const prepared = await this.set(factor, snapshotId);
    if (prepared === null) return "none";
    const found = await this.#firstVisible(factor, prepared.set.calculatedAt);
    if (found?.check.snapshotId === snapshotId) {
      // A recording may know the check only as a latest request saw it: what it recorded is not known then (section 3).
      return found.check.status === "stale" ? "unproved" : this.#shaped(found);
    }
    return this.#timeline().hidesChecks ? "none" : "unproved";
  }

  /** A set with its prepared rows, or `null` if the store does not have it. */
  async set(factor: Factor, snapshotId: string): Promise<PreparedSet | null> {
    const key = `${factor}/${snapshotId}`;
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    const set = await this.#store.readSet(factor, snapshotId);
    if (set === null) return null;
    const rowsJson = JSON.stringify(encodeScoreRows(set.rows, scoreNameOf(factor)));
    const prepared = { set, rowsJson };
    this.#sets.set(key, prepared, { weight: rowsJson.length * 2 });
    return prepared;
  }

  /** The release that is served at a time, or `null` if none is available yet. */
  async release(factor: Factor, nowMs: number): Promise<StoredRelease | null> {
    const now = instantOf(nowMs);
    const releases = await this.#releaseLists[factor].get();
    const chosen = this.#timeline().releaseAt(factor, now);
    if (chosen !== undefined) {
      return releases.find(({ release }) => release.downloadSha256 === chosen) ?? null;
    }
    return releases.findLast((stored) => stored.availableFrom <= now) ?? null;
  }

  /** Whether a factor without a check has none: of a partial recording it may, unless a timeline hides its checks. */
  get provesNoCheck(): boolean {
    return this.#store.info.complete !== null || this.#timeline().hidesChecks;
  }

  /** Whether a factor without a release has none: of a partial recording it may, unless a timeline chose its release. */
  provesNoRelease(factor: Factor, nowMs: number): boolean {
    if (this.#store.info.complete !== null) return true;
    return this.#timeline().releaseAt(factor, instantOf(nowMs)) !== undefined;
  }

  /** The calculation definition of a factor at a time. */
  async factorVersion(factor: Factor, nowMs: number): Promise<string> {
    // A damaged file is an error of those that ask for its content, not of the list of factors.
    const latest = await this.latest(factor, nowMs).catch(() => "none" as const);
    if (latest !== "none") return latest.check.factorVersion;
    const stored = await this.release(factor, nowMs).catch(() => null);
    return stored?.release.factorVersion ?? `${factor}-v1`;
  }

  async #lastNotAfter(factor: Factor, at: Instant): Promise<StoredCheck | "none"> {
    const listed = this.#checkLists[factor].get();
    const entries = listed instanceof Promise ? await listed : listed;
    const timeline = this.#timeline();
    let index = lastCheckNotAfter(entries, at);
    if (timeline.hidesChecks) {
      while (index >= 0 && timeline.hides(factor, entries[index]!.lastCheckedAt)) index--;
    }
    const found = await this.#readGroup(factor, entries, index);
    return found === null ? "none" : this.#shaped(await this.#published(factor, found));
  }

  #shaped(stored: StoredCheck): StoredCheck {
    const check = this.#timeline().shape(stored.check);
    return check === stored.check ? stored : { ...stored, check };
  }

  // A set whose publishing check is hidden was published, for the world outside, by the first check that shows it.
  async #published(factor: Factor, stored: StoredCheck): Promise<StoredCheck> {
    const { calculatedAt } = stored.check;
    if (!this.#timeline().hides(factor, calculatedAt)) return stored;
    const first = await this.#firstVisible(factor, calculatedAt);
    return first === null ? stored : withPublication(stored, first.check.calculatedAt);
  }

  /** The first check at or after a set's publication time that is not hidden, as the publication of its set. */
  async #firstVisible(factor: Factor, calculatedAt: Instant): Promise<StoredCheck | null> {
    const entries = await this.#checkLists[factor].get();
    const timeline = this.#timeline();
    const first = entries.find(({ lastCheckedAt }) =>
      lastCheckedAt >= calculatedAt && !timeline.hides(factor, lastCheckedAt)
    );
    if (first === undefined) return null;
    if (first.lastCheckedAt !== calculatedAt && !timeline.hides(factor, calculatedAt)) return null;
    const found = await this.#readGroup(
      factor,
      entries,
      lastCheckNotAfter(entries, first.lastCheckedAt),
    );
    return found === null ? null : withPublication(found, first.lastCheckedAt);
  }

  #readGroup(
    factor: Factor,
    entries: readonly CheckEntry[],
    last: number,
  ): Promise<StoredCheck | null> {
    return readCheckGroup(entries, last, (name) => this.#readCheck(factor, name));
  }

  async #readCheck(factor: Factor, name: string): Promise<StoredCheck | null> {
    const key = `${factor}/${name}`;
    const known = this.#checks.get(key);
    if (known !== undefined) return known;
    const stored = await this.#store.readCheck(factor, name);
    if (stored !== null) this.#checks.set(key, stored, { weight: 1 });
    return stored;
  }
}

function withPublication(stored: StoredCheck, calculatedAt: Instant): StoredCheck {
  if (stored.check.calculatedAt === calculatedAt) return stored;
  return { ...stored, check: { ...stored.check, calculatedAt } };
}

function spanOf(entries: readonly CheckEntry[]): CheckSpan | null {
  const first = entries[0]?.lastCheckedAt;
  const last = entries.at(-1)?.lastCheckedAt;
  return first === undefined || last === undefined ? null : { first, last };
}

/** A check as it is served: with the status that holds for the request. */
export function withStatus(check: Check, status: string): Check {
  return check.status === status ? check : { ...check, status };
}
