import type { KindTypes } from "../typed/column_kind.ts";
import type { ProvenanceChoice, ProvenanceName, ProvenanceTable } from "./provenance_schema.ts";

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
