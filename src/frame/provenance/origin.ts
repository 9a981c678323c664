import type { Check } from "../../contract/scores/check.ts";
import type { CalendarDate, Instant } from "../../contract/instant.ts";
import type { ScoreRows } from "../../contract/scores/score_rows.ts";

/**
 * Known facts of the check behind a frame. A CSV response tells neither version, universe nor price
 * session (section 2.4); what is `null` here is null in the frame.
 */
export interface CheckOrigin extends
  Pick<
    Check,
    "factor" | "snapshotId" | "calculatedAt" | "lastCheckedAt" | "dataThrough" | "status"
  > {
  /** Calculation definition, if it is known. */
  readonly factorVersion: string | null;
  /** Universe label, if it is known. */
  readonly universe: string | null;
  /** Latest stored benchmark price session, if it is known. */
  readonly pricesThrough: CalendarDate | null;
}

/** Rows and the check that they belong to: a score set, or what a CSV response and its headers told. */
export interface ScoreFrameInput {
  /** Origin of the rows. */
  readonly check: CheckOrigin;
  /** The rows. */
  readonly rows: ScoreRows;
}

/** Arrival of something on this machine. */
export interface Receipt {
  /** Source that answered; marked where the data is synthetic. */
  readonly source: Source;
  /** Time of receipt; for an answer from a store, that of the store. */
  readonly retrievedAt: Instant;
}

/** Source that answered: the service, an embedded server, or a store without the network. */
export type SourceKind = "live" | "embedded" | "store";

/** The value of the column `source`: what answered, and whether the data is synthetic. */
export type Source = SourceKind | `${SourceKind}, synthetic`;

/** The value of the column `source`. */
export function sourceOf(kind: SourceKind, synthetic: boolean): Source {
  return synthetic ? `${kind}, synthetic` : kind;
}
