import type { Check } from "../../base/contract/scores/check.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { View } from "../../base/contract/http/query.ts";
import type { Release } from "../../base/contract/release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { PreparedSet } from "./catalogue.ts";

/** Time of a request. */
export interface AskedAt {
  /** Server time, epoch milliseconds; constant within a request. */
  readonly nowMs: number;
}

/** Contents for the handlers: those of a store, or of a relay and its service. */
export interface ScoreContents {
  /** Name and parameters of a synthetic world; `null` for other contents. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /**
   * Check that a view selects, with the status for the request (sections 3 and 4.3).
   *
   * @throws {Refusal} If there is none, or it is unknown
   */
  select(
    request: { readonly factor: Factor; readonly view: View },
    asked: AskedAt,
  ): Promise<Check>;
  /** A set with its prepared rows, or `null`. */
  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null>;
  /** Calculation definition of a factor, or `null` if unknown. */
  factorVersion(factor: Factor, asked: AskedAt): Promise<string | null>;
  /**
   * Metadata of the current release.
   *
   * @throws {Refusal} If there is none
   */
  release(factor: Factor, asked: AskedAt): Promise<Release>;
  /**
   * Size of the file of a release.
   *
   * @throws {Refusal} If it is unknown
   */
  releaseSize(factor: Factor, release: Release): Promise<number>;
  /**
   * Release with its complete file.
   *
   * @throws {Refusal} If the file is missing
   */
  releaseFile(factor: Factor, release: Release): Promise<StoredRelease>;
}
