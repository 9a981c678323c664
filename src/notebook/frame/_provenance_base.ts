import { FACTORS } from "../../contract/factor.ts";
import { PROVENANCE_NAMES } from "../../contract/provenance_name.ts";

// A wide panel has the columns of each factor, and a join adds a suffix to those that both frames have.
const PROVENANCE = new RegExp(
  `^(?:(?:${FACTORS.join("|")})_)?(${PROVENANCE_NAMES.join("|")})(?:_right)?$`,
);

/** `snapshot_id` of `ecpnd_snapshot_id` and `snapshot_id_right`, or `null` for a column that is no provenance. */
export function baseProvenanceName(name: string): string | null {
  return PROVENANCE.exec(name)?.[1] ?? null;
}
