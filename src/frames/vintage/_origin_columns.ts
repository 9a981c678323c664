import pl, { type DataFrame } from "nodejs-polars";
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
  const affixes = new Map([[
    "|",
    { factor: null, suffix: "" } as ReturnType<typeof readAffixes>[number],
  ]]);
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

function readAffixes(column: string) {
  return [null, ...FACTORS].flatMap((factor) =>
    IDS.map((id) => factor === null ? id : `${factor}_${id}`)
      .filter((start) => column.startsWith(start))
      .map((start) => ({ factor, suffix: column.slice(start.length) }))
  );
}

/**
 * Distinct rows of some columns of a frame, in the order of their first appearance, with `row_count` (Int32).
 *
 * @param frame A frame with the columns
 * @param names Columns, at least one
 */
export function distinctRows(frame: DataFrame, names: readonly string[]): DataFrame {
  // Only columns with known names from here on: a column can hide a property of the frame.
  const chosen = frame.select(...names);
  const rows = pl.lit(chosen.height).cast(pl.Int32).alias("row_count");
  const counts = chosen.select(...names.map((name) => pl.col(name).nUnique())).row(0);
  const varying = names.filter((_, i) => counts[i] > 1);
  if (varying.length === 0) return chosen.head(1).withColumns(rows);
  // Grouping by the few columns that differ costs a fraction of grouping by all of them.
  const constant = names.filter((name) => !varying.includes(name));
  return chosen.lazy().groupBy(varying, true)
    .agg(
      ...constant.map((name) => pl.col(name).first()),
      pl.len().cast(pl.Int32).alias("row_count"),
    )
    .select(...names, "row_count")
    .collectSync();
}
