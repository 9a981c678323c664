/** How a provenance value is typed in a frame. */
export type ProvenanceType = "text" | "date" | "instant";

/** One provenance column: the same in every row of what was loaded at once. */
export interface ProvenanceColumn {
  /** Name of the column in every frame. */
  readonly name: ProvenanceName;
  /** Text, a calendar date, or an instant (Datetime in milliseconds, UTC). */
  readonly type: ProvenanceType;
  /** What kind of frame carries the column. */
  readonly of: "scores" | "release" | "both";
  /** What the value says. */
  readonly meaning: string;
}

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

/** Every provenance column, in the order in which frames carry them. */
export const PROVENANCE_COLUMNS: readonly ProvenanceColumn[] = [
  { name: "factor", type: "text", of: "both", meaning: "the factor" },
  { name: "factor_version", type: "text", of: "both", meaning: "calculation definition" },
  { name: "universe", type: "text", of: "both", meaning: "universe label or coverage definition" },
  { name: "snapshot_id", type: "text", of: "scores", meaning: "id of the published score set" },
  { name: "calculated_at", type: "instant", of: "scores", meaning: "publication of the set" },
  { name: "last_checked_at", type: "instant", of: "scores", meaning: "completion of the check" },
  { name: "data_through", type: "instant", of: "scores", meaning: "information cutoff" },
  { name: "status", type: "text", of: "scores", meaning: "data status of the check" },
  { name: "prices_through", type: "date", of: "scores", meaning: "latest benchmark price session" },
  {
    name: "download_sha256",
    type: "text",
    of: "release",
    meaning: "checksum that names a release",
  },
  { name: "availability", type: "text", of: "release", meaning: "reconstruction convention" },
  { name: "source", type: "text", of: "both", meaning: "live, embedded or store; or synthetic" },
  { name: "retrieved_at", type: "instant", of: "both", meaning: "when this machine received it" },
];

/** The provenance columns of a frame of score sets, in order. */
export const SCORE_PROVENANCE: readonly ProvenanceName[] = namesOf("scores");

/** The provenance columns of a frame of a release, in order. */
export const RELEASE_PROVENANCE: readonly ProvenanceName[] = namesOf("release");

/** Which provenance columns a frame shall carry: all, none, or those that are named. */
export type ProvenanceChoice = boolean | readonly ProvenanceName[];

/**
 * The provenance columns that a choice selects, in the order of frames.
 *
 * @throws {TypeError} If a name is not among those that the frame could carry
 */
export function chooseProvenance(
  choice: ProvenanceChoice | undefined,
  available: readonly ProvenanceName[],
): readonly ProvenanceColumn[] {
  if (choice === false) return [];
  const names = choice === undefined || choice === true ? available : choice;
  const unknown = names.find((name) => !available.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot choose the provenance column "${unknown}": one of ${
        available.join(", ")
      } is required`,
    );
  }
  return PROVENANCE_COLUMNS.filter((column) => names.includes(column.name));
}

function namesOf(kind: "scores" | "release"): readonly ProvenanceName[] {
  return PROVENANCE_COLUMNS.filter((column) => column.of === "both" || column.of === kind)
    .map((column) => column.name);
}
