import type { Check } from "../../contract/scores/check.ts";
import type { Factor } from "../../contract/factor.ts";
import type { View } from "../../contract/http/query.ts";
import type { Release } from "../../contract/release.ts";
import type { StoredRelease } from "../../store/release/release_file.ts";
import type { PreparedSet } from "./catalogue.ts";

/** Time of a question, epoch milliseconds by the server's clock. */
export interface AskedAt {
  /** Server time; the same for the whole request. */
  readonly nowMs: number;
}

/** Contents that the handlers answer from: a store, or what a relay has and asks for. */
export interface ScoreContents {
  /** Name and parameters of a synthetic world; `null` if the contents are none. */
  readonly world: Readonly<Record<string, unknown>> | null;
  /**
   * The check that a view selects, with the status that holds for the request (sections 3 and 4.3).
   *
   * @throws {Refusal} If there is none, or it is not known
   */
  select(
    request: { readonly factor: Factor; readonly view: View },
    asked: AskedAt,
  ): Promise<Check>;
  /** A set with its prepared rows, or `null`. */
  set(factor: Factor, snapshotId: string): Promise<PreparedSet | null>;
  /** The calculation definition of a factor, or `null` if it is not known. */
  factorVersion(factor: Factor, asked: AskedAt): Promise<string | null>;
  /**
   * Metadata of the release that is served now.
   *
   * @throws {Refusal} If there is none
   */
  release(factor: Factor, asked: AskedAt): Promise<Release>;
  /**
   * Size of the file of a release.
   *
   * @throws {Refusal} If it cannot be told
   */
  releaseSize(factor: Factor, release: Release): Promise<number>;
  /**
   * The release with its whole file.
   *
   * @throws {Refusal} If the file is not there
   */
  releaseFile(factor: Factor, release: Release): Promise<StoredRelease>;
}
