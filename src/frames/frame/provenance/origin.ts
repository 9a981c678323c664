import type { Check } from "../../../base/contract/scores/check.ts";
import type { CalendarDate, Instant } from "../../../base/contract/instant.ts";
import type { ScoreRows } from "../../../base/contract/scores/score_rows.ts";

/**
 * Rows and their check: a score set, or a CSV response with its headers.
 *
 * @internal
 */
export interface ScoreFrameInput {
  /** Origin of the rows. */
  readonly check:
    & Pick<
      Check,
      "factor" | "snapshotId" | "calculatedAt" | "lastCheckedAt" | "dataThrough" | "status"
    >
    & {
      /** Calculation definition, if known. */
      readonly factorVersion: string | null;
      /** Universe label, if known. */
      readonly universe: string | null;
      /** Latest stored benchmark price session, if known. */
      readonly pricesThrough: CalendarDate | null;
    };
  /** The rows. */
  readonly rows: ScoreRows;
}

/**
 * Known facts about the check behind a frame. A CSV response has no version, universe or price session (section 2.4); `null`
 * here becomes null in the frame.
 */
export type CheckOrigin = ScoreFrameInput["check"];

/**
 * Arrival of data on this machine.
 *
 * @internal
 */
export interface Receipt {
  /** Source of the data, marked if it is synthetic. */
  readonly source: Source;
  /** Time of receipt; for an answer from a store, that of the store. */
  readonly retrievedAt: Instant;
}

/**
 * Source that answered: the service, an embedded server, or a store without the network.
 *
 * @internal
 */
export type SourceKind = "live" | "embedded" | "store";

/**
 * Value of the column `source`: the kind of source, marked if the data is synthetic.
 *
 * @internal
 */
export type Source = SourceKind | `${SourceKind}, synthetic`;

/** True if a value of a column `source` says that its row is synthetic, in whatever words: a mark is never lost. */
export function saysSynthetic(source: unknown): boolean {
  return typeof source === "string" && source.includes("synthetic");
}

/** Returns the value of the column `source`. */
export function sourceOf(kind: SourceKind, synthetic: boolean): Source {
  return synthetic ? `${kind}, synthetic` : kind;
}
