/** Names of the provenance columns, in the order in which frames carry them. */
export const PROVENANCE_NAMES = [
  "factor",
  "factor_version",
  "universe",
  "snapshot_id",
  "calculated_at",
  "last_checked_at",
  "data_through",
  "status",
  "prices_through",
  "download_sha256",
  "availability",
  "source",
  "retrieved_at",
] as const;

/** Name of a provenance column. */
export type ProvenanceName = (typeof PROVENANCE_NAMES)[number];
