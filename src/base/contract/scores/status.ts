/**
 * A data status that the API document defines.
 *
 * @internal
 */
export type KnownStatus =
  | "stale"
  | "call_source_delayed"
  | "call_updates_pending"
  | "partial_market_data"
  | "current";

/** A status as received: a known one, or text that a later edition of the contract may add. */
export type Status = KnownStatus | (string & Record<never, never>);

/** The statuses from highest to lowest priority (section 3). */
export const STATUS_PRIORITY: readonly KnownStatus[] = [
  "stale",
  "call_source_delayed",
  "call_updates_pending",
  "partial_market_data",
  "current",
];

/** Age of the information cutoff beyond which a latest request is `stale` (section 3). */
const STALE_AFTER_MS = 75 * 60 * 1000;

/** True if the status is one that the API document defines. */
export function isKnownStatus(status: string): status is KnownStatus {
  return (STATUS_PRIORITY as readonly string[]).includes(status);
}

/** Conditions at a check; each may or may not apply. */
export interface StatusConditions {
  /** Source reconciliation was not current. */
  readonly callSourceDelayed: boolean;
  /** Call updates, or factor processing where reported, were pending or failed. */
  readonly callUpdatesPending: boolean;
  /** The benchmark or the tracked price panel was not fully current. */
  readonly partialMarketData: boolean;
}

/** Status that a check records if several conditions apply (section 3). */
export function selectStatus(conditions: StatusConditions): KnownStatus {
  if (conditions.callSourceDelayed) return "call_source_delayed";
  if (conditions.callUpdatesPending) return "call_updates_pending";
  if (conditions.partialMarketData) return "partial_market_data";
  return "current";
}

/** True if this cutoff is stale for a latest request at `nowMs`: more than 75 minutes old (section 3). */
export function isStale(dataThroughMs: number, nowMs: number): boolean {
  return nowMs - dataThroughMs > STALE_AFTER_MS;
}
