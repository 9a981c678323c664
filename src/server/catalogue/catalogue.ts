import { join } from "node:path";
import type { Check } from "../../base/contract/scores/check.ts";
import { type Factor, scoreNameOf } from "../../base/contract/factor.ts";
import { type Instant, instantOf } from "../../base/contract/instant.ts";
import { encodeScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { StoredCheck } from "../../base/store/scores/check_file.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import {
  findProvedSpan,
  lastCheckNotAfter,
  proveCheckAt,
  readCheckGroup,
} from "../../base/store/checks/select_check.ts";
import type { StoredSet } from "../../base/store/scores/set_file.ts";
import type { CheckEntry, StoreReader } from "../../base/store/store_reader.ts";
import { FolderCache, LruCache } from "./caches.ts";
import type { Timeline } from "../timeline/timeline.ts";

const MAX_SET_BYTES = 64 << 20;
const MAX_CHECKS = 4096;
// Origins of checks from a server or its user; the origin of a recorded check is an address.
const MADE_HERE: readonly string[] = ["embedded server", "own scores"];

/** A published set with its rows as JSON text. */
export interface PreparedSet {
  /** The set. */
  readonly set: StoredSet;
  /** The `scores` array as JSON. */
  readonly rowsJson: string;
}

/** Check that answers an instant: one, none, or unknown because a partial recording proves nothing there. */
export type Selection = StoredCheck | "none" | "unproved";

/** Times of the first and last check. */
export interface CheckSpan {
  /** Time of the first. */
  readonly first: Instant;
  /** Time of the last. */
  readonly last: Instant;
}

/** Contents of a server's store, read on demand and cached with a size limit. */
export class Catalogue {
  readonly #store: StoreReader;
  readonly #timeline: () => Timeline;
  readonly #goesOn: boolean;
  readonly #checkLists: Readonly<Record<Factor, FolderCache<readonly CheckEntry[]>>>;
  readonly #releaseLists: Readonly<Record<Factor, FolderCache<readonly StoredRelease[]>>>;
  readonly #checks = new LruCache<StoredCheck>(MAX_CHECKS);
  readonly #sets = new LruCache<PreparedSet>(MAX_SET_BYTES);

  /**
   * @param store The store to serve
   * @param timeline Returns the events of the service; called for each request
   * @param options `goesOn`: true if the server completes the checks that follow the store's last one
   */
  constructor(
    store: StoreReader,
    timeline: () => Timeline,
    options: { readonly goesOn?: boolean } = {},
  ) {
    this.#store = store;
    this.#goesOn = options.goesOn ?? false;
    this.#timeline = timeline;
    // A store caches its listing of checks itself.
    const checks = (factor: Factor) => new FolderCache(null, () => store.listChecks(factor));
    const releases = (factor: Factor) =>
      new FolderCache(join(store.path, LAYOUT.releases(factor)), () => store.listReleases(factor));
    this.#checkLists = { ecpnd: checks("ecpnd"), ecqdi: checks("ecqdi") };
    this.#releaseLists = { ecpnd: releases("ecpnd"), ecqdi: releases("ecqdi") };
  }

  /** First and last check of a factor in the store, or `null`. */
  async storedSpan(factor: Factor): Promise<CheckSpan | null> {
    return spanOf(await this.#checkLists[factor].get());
  }

  /** First and last check of a factor visible to clients by a time, or `null`. */
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

  /** Name and parameters of a world's store; `null` for a recording. */
  get world(): Readonly<Record<string, unknown>> | null {
    const { kind, description, origin } = this.#store.info;
    return kind === "world" ? { name: description, ...origin } : null;
  }

  /** True if the store is complete; a partial recording answers only what it proves. */
  get isComplete(): boolean {
    return this.#store.info.complete !== null;
  }

  /**
   * Check that answers a latest request at a time, if the store proves it. In a recording, its status may be the `stale` of a
   * latest request.
   */
  async latest(factor: Factor, nowMs: number): Promise<Selection> {
    const now = instantOf(nowMs);
    // The server of a complete store is the service: the store has every check.
    return this.isComplete || await this.#isMadeHere(factor, now)
      ? await this.#lastNotAfter(factor, now)
      : await this.#provedAt(factor, now);
  }

  /** Check that answers an `at` request, if the store proves it; it may be `stale`, as with {@link latest}. */
  async at(factor: Factor, at: Instant): Promise<Selection> {
    const { complete } = this.#store.info;
    if (complete !== null && at < complete.from) return "none";
    return complete !== null || await this.#isMadeHere(factor, at)
      ? await this.#lastNotAfter(factor, at)
      : await this.#provedAt(factor, at);
  }

  /** Check that published a set, if the store proves it; it may be `stale`, as with {@link latest}. */
  async publication(factor: Factor, snapshotId: string): Promise<Selection> {
    const prepared = await this.set(factor, snapshotId);
    if (prepared === null) {
      // An id belongs to one factor (section 4.3).
      const isOther = await this.set(otherThan(factor), snapshotId) !== null;
      return this.isComplete || isOther ? "none" : "unproved";
    }
    const { calculatedAt } = prepared.set;
    const timeline = this.#timeline();
    // A recording does not prove which check is the first with a set whose publication is hidden.
    if (!this.isComplete && timeline.hides(factor, calculatedAt)) return "unproved";
    const found = await this.#firstVisible(factor, calculatedAt);
    if (found?.check.snapshotId === snapshotId) return this.#shaped(found);
    return this.isComplete && timeline.hidesChecks ? "none" : "unproved";
  }

  /** Last instant, up to a time, at which a recording proves the latest check, or `null`. */
  async lastProved(factor: Factor, nowMs: number): Promise<Instant | null> {
    return (await findProvedSpan(this.#store, factor, instantOf(nowMs)))?.through ?? null;
  }

  /** A set with its prepared rows, or `null` if the store lacks it. */
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

  /** Release served at a time, or `null` if none is available yet. */
  async release(factor: Factor, nowMs: number): Promise<StoredRelease | null> {
    const now = instantOf(nowMs);
    const releases = await this.#releaseLists[factor].get();
    const chosen = this.#timeline().releaseAt(factor, now);
    if (chosen !== undefined) {
      return releases.find(({ release }) => release.downloadSha256 === chosen) ?? null;
    }
    return releases.findLast((stored) => stored.availableFrom <= now) ?? null;
  }

  /** Time at which the next release becomes available, or `null`. */
  async nextRelease(factor: Factor, nowMs: number): Promise<Instant | null> {
    const now = instantOf(nowMs);
    const releases = await this.#releaseLists[factor].get();
    return releases.find(({ availableFrom }) => availableFrom > now)?.availableFrom ?? null;
  }

  /** True if a factor is known to have no release; a partial recording knows it only from a timeline. */
  provesNoRelease(factor: Factor, nowMs: number): boolean {
    if (this.isComplete) return true;
    return this.#timeline().releaseAt(factor, instantOf(nowMs)) !== undefined;
  }

  /**
   * Calculation definition of a factor at a time, from its last check, its release, or the first check or release after that
   * time; `null` if a recording has none of them.
   */
  async factorVersion(factor: Factor, nowMs: number): Promise<string | null> {
    // A damaged file is an error of the requests for its content, not of the list of factors.
    const last = await this.#lastNotAfter(factor, instantOf(nowMs)).catch(() => "none" as const);
    if (last !== "none") return last.check.factorVersion;
    const release = await this.release(factor, nowMs).catch(() => null);
    if (release !== null) return release.release.factorVersion;
    const entries = await this.#checkLists[factor].get();
    const first = entries[0] && await this.#readCheck(factor, entries[0].name).catch(() => null);
    if (first) return first.check.factorVersion;
    const [offered] = await Promise.resolve(this.#releaseLists[factor].get()).catch(() => []);
    return offered?.release.factorVersion ?? (this.isComplete ? `${factor}-v1` : null);
  }

  // After the last recorded check, a server that continues a recording is itself the service.
  async #isMadeHere(factor: Factor, at: Instant): Promise<boolean> {
    if (!this.#goesOn) return false;
    const entries = await this.#checkLists[factor].get();
    const last = lastCheckNotAfter(entries, at);
    if (last === -1) return false;
    const next = entries[last + 1];
    if (next === undefined) return true;
    // A damaged file is an error of the requests for its content.
    const following = await this.#readCheck(factor, next.name).catch(() => null);
    return following !== null && MADE_HERE.includes(following.origin);
  }

  async #provedAt(factor: Factor, at: Instant): Promise<Selection> {
    const timeline = this.#timeline();
    if (timeline.precedesFirstSet(factor, at)) return "none";
    const selection = await proveCheckAt(this.#store, factor, at);
    if (!selection.known) return "unproved";
    const { stored } = selection;
    if (stored === null) return "none";
    // The recording lacks the check that would have answered in place of a hidden one.
    return timeline.hides(factor, stored.check.lastCheckedAt) ? "unproved" : this.#shaped(stored);
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

  // For clients, a set whose publishing check is hidden was published by its first visible check.
  async #published(factor: Factor, stored: StoredCheck): Promise<StoredCheck> {
    const { calculatedAt } = stored.check;
    if (!this.#timeline().hides(factor, calculatedAt)) return stored;
    const first = await this.#firstVisible(factor, calculatedAt);
    return first === null ? stored : withPublication(stored, first.check.calculatedAt);
  }

  /** First visible check at or after a set's publication time, as the publication of the set. */
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

/** The other factor: an id belongs to one. */
export function otherThan(factor: Factor): Factor {
  return factor === "ecpnd" ? "ecqdi" : "ecpnd";
}

function spanOf(entries: readonly CheckEntry[]): CheckSpan | null {
  const first = entries[0]?.lastCheckedAt;
  const last = entries.at(-1)?.lastCheckedAt;
  return first === undefined || last === undefined ? null : { first, last };
}

/** A check with the status for a request. */
export function withStatus(check: Check, status: string): Check {
  return check.status === status ? check : { ...check, status };
}
