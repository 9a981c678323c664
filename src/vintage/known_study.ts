import type { Factor } from "../contract/factor.ts";
import type { HeldOut } from "../frame/provenance/held_out.ts";
import type { Instant } from "../contract/instant.ts";

/** Part of a study that is read: its time, and the sets and releases that it stands on. A {@link Study} is one. */
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
    /** True if its numbers are made up; `null` if unknown. */
    readonly synthetic: boolean | null;
    /** Its score sets. */
    readonly sets: readonly KnownSet[];
    /** Its releases. */
    readonly releases: readonly KnownRelease[];
  } | null;
}

/** A score set that a study stands on. */
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

/** A release that a study stands on. */
export interface KnownRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** SHA-256 of its file. */
  readonly downloadSha256: string;
  /** Calculation definition, if the release says so. */
  readonly factorVersion: string | null;
  /** Universe label, if the release says so. */
  readonly universe: string | null;
  /** Reconstruction convention, if the release says so. */
  readonly availability: string | null;
  /** Number of rows. */
  readonly rows: number;
}

/** True if a value is a study, and no frame that has columns of these names. */
export function isStudy(value: unknown): value is KnownStudy {
  if (typeof value !== "object" || value === null) return false;
  const isFrame = (value as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] !== undefined;
  return !isFrame && "lock" in value && "asOf" in value;
}
