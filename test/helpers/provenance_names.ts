/** The provenance columns of a frame of score sets, in order (the contract of frames). */
export const SCORE_SET_COLUMNS = [
  "factor",
  "factor_version",
  "universe",
  "snapshot_id",
  "calculated_at",
  "last_checked_at",
  "data_through",
  "status",
  "prices_through",
  "source",
  "retrieved_at",
];

/** Those of a frame of a release. */
export const RELEASE_COLUMNS = [
  "factor",
  "factor_version",
  "universe",
  "download_sha256",
  "availability",
  "source",
  "retrieved_at",
];

const OF_CHECKS = ["last_checked_at", "data_through", "status", "prices_through"];

/** Those of a panel whose rows are sets, not checks. */
export const PANEL_COLUMNS = SCORE_SET_COLUMNS.filter((name) => !OF_CHECKS.includes(name));
