/** Name of a provenance column. */
export type ProvenanceName =
  | "factor"
  | "factor_version"
  | "universe"
  | "snapshot_id"
  | "calculated_at"
  | "last_checked_at"
  | "data_through"
  | "status"
  | "prices_through"
  | "download_sha256"
  | "availability"
  | "source"
  | "retrieved_at";

/** All of them, in the order of frames. */
export const PROVENANCE_NAMES: readonly ProvenanceName[] = [
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
];
