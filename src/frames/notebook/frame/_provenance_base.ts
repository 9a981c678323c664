import { FACTORS } from "../../../base/contract/factor.ts";
import { PROVENANCE_NAMES } from "../../frame/provenance/provenance_schema.ts";

// A wide panel has columns for each factor, and a join adds a suffix to common columns.
const PROVENANCE = new RegExp(
  `^(?:(?:${FACTORS.join("|")})_)?(${PROVENANCE_NAMES.join("|")})(?:_right)?$`,
);

/**
 * Base name of a provenance column: `snapshot_id` for `ecpnd_snapshot_id` and `snapshot_id_right`; `null` for other columns.
 */
export function baseProvenanceName(name: string): string | null {
  return PROVENANCE.exec(name)?.[1] ?? null;
}
