import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { PROVENANCE_NAMES, type ProvenanceName } from "../frame/provenance/provenance_schema.ts";

/**
 * Provenance columns of one origin of a frame's rows. A frame has its own; each join with other scores adds one, whose columns
 * have a suffix (`snapshot_id_right`) or the factor as a prefix (`ecqdi_snapshot_id`).
 */
export interface OriginColumns {
  /** Columns of this origin, by provenance name. */
  readonly columns: ReadonlyMap<ProvenanceName, string>;
  /** Factor that prefixes the names of the columns; `null` without one. */
  readonly factor: Factor | null;
}

// A column that only begins like a provenance column has no id beside it.
const IDS = ["snapshot_id", "download_sha256"] as const;

/** Origins of a frame with these columns, its own first. */
export function originColumnsOf(columns: readonly string[]): readonly OriginColumns[] {
  const present = new Set(columns);
  const affixes = new Map([["|", { factor: null, suffix: "" } as Affix]]);
  for (const affix of columns.flatMap(readAffixes)) {
    affixes.set(`${affix.factor ?? ""}|${affix.suffix}`, affix);
  }
  return [...affixes.values()].map(({ factor, suffix }) => {
    const prefix = factor === null ? "" : `${factor}_`;
    const found = PROVENANCE_NAMES.map((name) => [name, `${prefix}${name}${suffix}`] as const)
      .filter(([, column]) => present.has(column));
    return { columns: new Map(found), factor };
  }).filter((origin) => origin.columns.size > 0);
}

interface Affix {
  readonly factor: Factor | null;
  readonly suffix: string;
}

function readAffixes(column: string): readonly Affix[] {
  return [null, ...FACTORS].flatMap((factor) =>
    IDS.map((id) => factor === null ? id : `${factor}_${id}`)
      .filter((start) => column.startsWith(start))
      .map((start) => ({ factor, suffix: column.slice(start.length) }))
  );
}
