import { stat } from "node:fs/promises";
import { IntegrityError } from "../../base/errors.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { View } from "../../base/contract/http/query.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { Release } from "../../base/contract/release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { preparing, Refusal } from "../message/refusal.ts";
import type { Catalogue, PreparedSet } from "./catalogue.ts";
import type { AskedAt, ScoreContents } from "./score_contents.ts";
import { selectView } from "./select_view.ts";

/** Contents of a store, through its catalogue. */
export class CatalogueContents implements ScoreContents {
  readonly #catalogue: Catalogue;
  readonly #releases = new WeakMap<Release, StoredRelease>();

  /** @param catalogue Contents of the store */
  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  get world(): Readonly<Record<string, unknown>> | null {
    return this.#catalogue.world;
  }

  select(
    request: { readonly factor: Factor; readonly view: View },
    { nowMs }: AskedAt,
  ): Promise<Check> {
    return selectView({ catalogue: this.#catalogue, nowMs }, request);
  }

  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null> {
    return this.#catalogue.set(factor, snapshotId);
  }

  factorVersion(factor: Factor, { nowMs }: AskedAt): Promise<string | null> {
    return this.#catalogue.factorVersion(factor, nowMs);
  }

  /**
   * Metadata of the current release.
   *
   * @throws {Refusal} 503 `historical_export_preparing` if there is none yet; 404 `score_snapshot_not_available` if the server
   * serves a partial recording without one, which waiting would not change
   */
  async release(factor: Factor, { nowMs }: AskedAt): Promise<Release> {
    const stored = await this.#catalogue.release(factor, nowMs);
    if (stored !== null) {
      this.#releases.set(stored.release, stored);
      return stored.release;
    }
    if (this.#catalogue.provesNoRelease(factor, nowMs)) {
      const message = `The historical release of ${factor} is being prepared`;
      throw preparing("historical_export_preparing", message);
    }
    const now = instantOf(nowMs);
    const next = await this.#catalogue.nextRelease(factor, nowMs);
    throw new Refusal(
      "score_snapshot_not_available",
      `This server serves a recording without a release of ${factor} up to its time ${now}`,
      {
        details: { proved: false },
        ...(next !== null && { hint: `it has one from ${next} on, the time of its receipt` }),
      },
    );
  }

  async releaseSize(factor: Factor, release: Release): Promise<number> {
    return (await this.releaseFile(factor, release)).sizeBytes;
  }

  // A missing or truncated file is an error of the service, found before a length is sent.
  async releaseFile(_: Factor, release: Release): Promise<StoredRelease> {
    const stored = this.#releases.get(release);
    if (stored === undefined) throw new RangeError("expected a release from release()");
    const { size } = await stat(stored.path);
    if (size === stored.sizeBytes) return stored;
    throw new IntegrityError(
      `Cannot serve ${stored.path}: expected ${stored.sizeBytes} bytes, got ${size}; verify the store`,
    );
  }
}
