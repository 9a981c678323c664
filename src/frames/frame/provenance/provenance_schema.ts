import { type Rule, ruleOf } from "../../../base/arguments/check_options.ts";
import type { KindTypes } from "../typed/columns.ts";

/** Name of a provenance column. */
export type ProvenanceName = keyof ProvenanceTable;

/** Type of a provenance value in a frame. */
export type ProvenanceType = "text" | "date" | "instant";

/** One provenance column, constant within one load. */
export interface ProvenanceColumn<Name extends string = ProvenanceName> {
  /** Name of the column in every frame. */
  readonly name: Name;
  /** Text, a calendar date, or an instant (Datetime in milliseconds, UTC). */
  readonly type: ProvenanceType;
  /** Kind of frame with this column. */
  readonly of: "scores" | "release" | "both";
}

/** Type and frames of each provenance column, in the order of frames. */
const DESCRIBED = {
  factor: { type: "text", of: "both" },
  factor_version: { type: "text", of: "both" },
  universe: { type: "text", of: "both" },
  snapshot_id: { type: "text", of: "scores" },
  calculated_at: { type: "instant", of: "scores" },
  last_checked_at: { type: "instant", of: "scores" },
  data_through: { type: "instant", of: "scores" },
  status: { type: "text", of: "scores" },
  prices_through: { type: "date", of: "scores" },
  download_sha256: { type: "text", of: "release" },
  availability: { type: "text", of: "release" },
  source: { type: "text", of: "both" },
  retrieved_at: { type: "instant", of: "both" },
} as const satisfies Readonly<Record<string, Omit<ProvenanceColumn<string>, "name">>>;

/**
 * Type and frames of each provenance column, for the types of frames.
 *
 * @internal
 */
export type ProvenanceTable = typeof DESCRIBED;

/**
 * Names of the provenance columns of a kind of frame.
 *
 * @internal
 */
export type ProvenanceOf<Kind extends "scores" | "release"> = {
  [Name in ProvenanceName]: ProvenanceTable[Name]["of"] extends Kind | "both" ? Name : never;
}[ProvenanceName];

/** Names of all provenance columns, in the order of frames. */
export const PROVENANCE_NAMES: readonly ProvenanceName[] = Object.keys(
  DESCRIBED,
) as ProvenanceName[];

/** Provenance columns, in the order of frames. */
export const PROVENANCE_COLUMNS: readonly ProvenanceColumn[] = PROVENANCE_NAMES.map((name) => ({
  name,
  ...DESCRIBED[name],
}));

/** The provenance columns of a frame of score sets, in order. */
export const SCORE_PROVENANCE: readonly ProvenanceOf<"scores">[] = namesOf("scores");

/** The provenance columns of a frame of a release, in order. */
export const RELEASE_PROVENANCE: readonly ProvenanceOf<"release">[] = namesOf("release");

/** Provenance columns of a frame: all, none, or the given ones. */
export type ProvenanceChoice = boolean | readonly ProvenanceName[];

/** Accepted choices; the names are read with the frame. */
export const PROVENANCE: Rule<ProvenanceChoice> = ruleOf(
  "true, false or an array of column names",
  (value) => typeof value === "boolean" || Array.isArray(value),
);

/**
 * Provenance columns of a choice, in the order of frames.
 *
 * @throws {TypeError} If the frame cannot have one of the columns
 */
export function chooseProvenance<Name extends ProvenanceName>(
  choice: ProvenanceChoice | undefined,
  available: readonly Name[],
): readonly ProvenanceColumn<Name>[] {
  if (choice === false) return [];
  const names = choice === undefined || choice === true ? available : choice as readonly Name[];
  const unknown = names.find((name) => !available.includes(name));
  if (unknown !== undefined) {
    const names = available.join(", ");
    throw new TypeError(
      `Cannot choose the provenance column "${unknown}": expected one of ${names}`,
    );
  }
  return PROVENANCE_COLUMNS.filter((column): column is ProvenanceColumn<Name> =>
    (names as readonly ProvenanceName[]).includes(column.name)
  );
}

function namesOf<Kind extends "scores" | "release">(kind: Kind): readonly ProvenanceOf<Kind>[] {
  return PROVENANCE_COLUMNS.filter((column) => column.of === "both" || column.of === kind)
    .map((column) => column.name as ProvenanceOf<Kind>);
}

/**
 * Names of a choice; all possible names if the choice is known only at run time.
 *
 * @internal
 */
export type ChosenNames<Choice extends ProvenanceChoice, Available extends ProvenanceName> =
  Choice extends true ? Available
    : Choice extends readonly (infer Name)[] ? Extract<Name, Available>
    : never;

/**
 * Provenance columns with their types in a frame of score sets.
 *
 * @internal
 */
export type ProvenanceTypes<Names extends ProvenanceName> = {
  [Name in Names]: KindTypes[ProvenanceTable[Name]["type"]];
};

/**
 * Provenance columns with their types in a release, whose texts are categories.
 *
 * @internal
 */
export type ReleaseProvenanceTypes<Names extends ProvenanceName> = {
  [Name in Names]: ProvenanceTable[Name]["type"] extends "text" ? KindTypes["category"]
    : KindTypes[ProvenanceTable[Name]["type"]];
};
