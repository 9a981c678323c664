import { tagOf } from "../frame/tag_of.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { HeldOut } from "../frame/provenance/held_out.ts";
import type { Instant } from "../../base/contract/instant.ts";

/** Readable part of a study: its time, and its sets and releases. A {@link Study} has it. */
export interface KnownStudy {
  /** The study's time; `null` before its first load. */
  readonly asOf: Instant | null;
  /**
   * The hold-out of its registered tests; `null` if there is none.
   *
   * @default null
   */
  readonly heldOut?: HeldOut | null;
  /** Its origins; `null` before its first load. */
  readonly lock: {
    /** True if its numbers are synthetic; `null` if unknown. */
    readonly synthetic: boolean | null;
    /** Its score sets. */
    readonly sets: readonly KnownSet[];
    /** Its releases. */
    readonly releases: readonly KnownRelease[];
  } | null;
}

/**
 * A score set of a study.
 *
 * @internal
 */
export interface KnownSet {
  /** Factor of the set. */
  readonly factor: Factor;
  /** Identity of the set. */
  readonly snapshotId: string;
  /** Calculation definition. */
  readonly factorVersion: string;
  /** Universe label. */
  readonly universe: string;
  /** Publication time. */
  readonly calculatedAt: Instant;
  /** Number of rows. */
  readonly tickers: number;
}

/**
 * A release of a study.
 *
 * @internal
 */
export interface KnownRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** SHA-256 of its file. */
  readonly downloadSha256: string;
  /** Calculation definition, if the release states it. */
  readonly factorVersion: string | null;
  /** Universe label, if the release states it. */
  readonly universe: string | null;
  /** Reconstruction convention, if the release states it. */
  readonly availability: string | null;
  /** Number of rows. */
  readonly rows: number;
}

/** True if a value is a study, and not a frame with columns of these names. */
export function isStudy(value: unknown): value is KnownStudy {
  return typeof value === "object" && value !== null && tagOf(value) === undefined &&
    "lock" in value && "asOf" in value;
}
