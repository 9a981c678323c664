import { stat } from "node:fs/promises";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import type { View } from "../../base/contract/http/query.ts";
import type { Release } from "../../base/contract/release.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import { isStale } from "../../base/contract/scores/status.ts";
import {
  type Catalogue,
  type PreparedSet,
  type Selection,
  withStatus,
} from "../../server/catalogue/catalogue.ts";
import type { AskedAt, ScoreContents } from "../../server/catalogue/catalogue_contents.ts";
import type { LruCache } from "../../server/catalogue/caches.ts";
import { inFuture, Refusal } from "../../server/message/refusal.ts";
import type { StoredCheck } from "../../base/store/scores/check_file.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { Store } from "../../base/store/store.ts";
import type { Asker } from "./upstream/asker.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** State that all requests of a relay share. */
export interface RelayParts {
  /** Store of the relay. */
  readonly store: Store;
  /** Cached contents of the store. */
  readonly catalogue: Catalogue;
  /** Checks that the store proved for an instant or a set, by factor and view; a proof never changes. */
  readonly proofs: LruCache<StoredCheck>;
  /** The service. */
  readonly upstream: Upstream;
}

// The service's clock is known to a second, plus the time that an answer takes.
const CLOCK_SLACK_MS = 60_000;

/** Contents for one request: from the store if it proves them, otherwise from the service. */
export class RelayContents implements ScoreContents {
  readonly #parts: RelayParts;
  readonly #asker: Asker;

  /** @param asker Sender of the request */
  constructor(parts: RelayParts, asker: Asker) {
    this.#parts = parts;
    this.#asker = asker;
  }

  get world(): Readonly<Record<string, unknown>> | null {
    return this.#parts.upstream.lease.last?.world ?? null;
  }

  async select(
    { factor, view }: { readonly factor: Factor; readonly view: View },
    { nowMs }: AskedAt,
  ): Promise<Check> {
    if (view.kind === "latest") return await this.#latest(factor);
    // Just after the estimated time of the service, the service itself decides if it is the future.
    if (view.kind === "at" && view.at > instantOf(nowMs + CLOCK_SLACK_MS)) throw inFuture();
    const known = await this.#proved(factor, view);
    if (known !== null) return known;
    const { set: { check }, receipt } = await this.#parts.upstream.view(factor, view, this.#asker);
    const stored = { check, retrievedAt: receipt.retrievedAt, origin: this.#parts.store.path };
    this.#parts.proofs.set(proofKey(factor, view), stored, { weight: 1 });
    return check;
  }

  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null> {
    return this.#parts.catalogue.set(factor, snapshotId);
  }

  factorVersion(factor: Factor): Promise<string | null> {
    const entries = this.#parts.upstream.lease.last?.entries ?? [];
    const entry = entries.find((candidate) => candidate.factor === factor);
    return Promise.resolve(entry?.factorVersion ?? null);
  }

  async release(factor: Factor): Promise<Release> {
    return (await this.#parts.upstream.offer(factor, this.#asker)).release;
  }

  async releaseSize(factor: Factor, release: Release): Promise<number> {
    const stored = await this.#stored(factor, release);
    return stored?.sizeBytes ?? await this.#parts.upstream.size(factor, release, this.#asker);
  }

  async releaseFile(factor: Factor, release: Release): Promise<StoredRelease> {
    return await this.#stored(factor, release) ??
      await this.#parts.upstream.file(factor, release, this.#asker);
  }

  // The status depends on the time, however fresh the answer is (section 3).
  async #latest(factor: Factor): Promise<Check> {
    const { upstream } = this.#parts;
    const check = await upstream.latest(factor, this.#asker);
    const stale = isStale(epochMsOf(check.dataThrough), upstream.clock.nowMs());
    return stale ? withStatus(check, "stale") : check;
  }

  async #proved(factor: Factor, view: Exclude<View, { kind: "latest" }>): Promise<Check | null> {
    const { catalogue, upstream } = this.#parts;
    if (view.kind === "at") {
      const recent = upstream.latestAt(factor, view.at);
      if (recent !== null) {
        this.#asker.restOn(recent.moment.serviceMs);
        return recent.check;
      }
    }
    const key = proofKey(factor, view);
    const proof = this.#parts.proofs.get(key);
    if (proof !== undefined) return this.#asRecorded(proof);
    const found = view.kind === "at"
      ? await catalogue.at(factor, view.at)
      : await catalogue.publication(factor, view.snapshotId);
    if (typeof found !== "string") this.#parts.proofs.set(key, found, { weight: 1 });
    // A partial store never proves that there is no check at an instant.
    if (found !== "none" || view.kind === "at") return this.#asRecorded(found);
    throw new Refusal(
      "score_snapshot_not_available",
      `No published ${factor} score set has the id ${view.snapshotId}`,
      { note: "the set belongs to the other factor" },
    );
  }

  // A status from a latest request is not the recorded one.
  #asRecorded(found: Selection): Check | null {
    if (typeof found === "string" || found.check.status === "stale") return null;
    this.#asker.restOn(epochMsOf(found.retrievedAt));
    return found.check;
  }

  // A truncated file is not served.
  async #stored(factor: Factor, { downloadSha256 }: Release): Promise<StoredRelease | null> {
    const releases = await this.#parts.store.listReleases(factor);
    const stored = releases.find(({ release }) => release.downloadSha256 === downloadSha256);
    if (stored === undefined) return null;
    const { size } = await stat(stored.path);
    if (size === stored.sizeBytes) return stored;
    throw new Refusal("internal_error", "The file of the release is damaged; note the request id", {
      note: `expected ${stored.sizeBytes} bytes in ${stored.path}, got ${size}: remove its folder`,
    });
  }
}

function proofKey(factor: Factor, view: Exclude<View, { kind: "latest" }>): string {
  return `${factor} ${view.kind === "at" ? view.at : view.snapshotId}`;
}
