import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { stack } from "../../analysis/by_part/merge_tables.ts";
import { adjustPValues } from "../../analysis/inference/adjust_p_values.ts";
import { type Ledger, ledger as openLedger } from "../../analysis/ledger/ledger.ts";
import { informationSummary } from "../../analysis/series/information_summary.ts";
import { frameOfRows, type RowColumn } from "../../analysis/table/frame_of_rows.ts";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { IntegrityError } from "../../errors.ts";
import { markSynthetic } from "../../frame/provenance/synthetic_lineage.ts";
import { isCode } from "../../store/disk/files.ts";
import { onDisk } from "../../store/disk/on_disk.ts";
import { readWholeParts } from "../part/merge_partitions.ts";
import { type PartFacts, readPartOptions, toPartQuestion } from "../part/part_facts.ts";
import type { Sweep } from "./sweep.ts";
import { partsFolder, readSweep } from "./sweep_partition.ts";
import { type Variant, type VariantOptions, variantText } from "./variant.ts";

/** Which sweep is merged. */
export interface MergeSweepOptions {
  /** Path of the sweep, a JSON file. */
  readonly sweep: string;
  /** Folder of the result, which has the parts. */
  readonly out: string;
  /**
   * Where every variant is entered.
   *
   * @default `ledger.jsonl` in the folder of the result
   */
  readonly ledger?: Ledger;
}

/** What came out of a sweep. */
export interface SweepResult {
  /**
   * One row a variant and horizon, the smallest p value first: `variant`, `factor`, `transform`, `lag`, `universe`, `horizon`, `sessions`,
   * `mean` (of the rank ICs by session), `ratio`, `t`, `df`, `p`, `p_holm` and `p_by` (adjusted for all rows with a p value: the chance of
   * one false finding, Holm 1979; the expected share of false ones, Benjamini and Yekutieli 2001), `detectable`, `reason`.
   */
  readonly table: DataFrame;
  /** Every variant, beside those that were there before. */
  readonly ledger: Ledger;
  /** Whether any score is synthetic. */
  readonly isSynthetic: boolean;
}

interface SweepRow extends VariantOptions {
  readonly variant: string;
  readonly horizon: number;
  readonly sessions: number;
  readonly mean: number | null;
  readonly ratio: number | null;
  readonly t: number | null;
  readonly df: number | null;
  readonly p: number | null;
  readonly detectable: number | null;
  readonly reason: string | null;
}

type Adjusted = SweepRow & { readonly holm: number | null; readonly by: number | null };

const COLUMNS: readonly RowColumn<Adjusted>[] = [
  { name: "variant", type: "text", read: (row) => row.variant },
  { name: "factor", type: "text", read: (row) => row.factor },
  { name: "transform", type: "text", read: (row) => row.transform },
  { name: "lag", type: "count", read: (row) => row.lag },
  { name: "universe", type: "text", read: (row) => row.universe },
  { name: "horizon", type: "count", read: (row) => row.horizon },
  { name: "sessions", type: "count", read: (row) => row.sessions },
  { name: "mean", type: "number", read: (row) => row.mean },
  { name: "ratio", type: "number", read: (row) => row.ratio },
  { name: "t", type: "number", read: (row) => row.t },
  { name: "df", type: "count", read: (row) => row.df },
  { name: "p", type: "number", read: (row) => row.p },
  { name: "p_holm", type: "number", read: (row) => row.holm },
  { name: "p_by", type: "number", read: (row) => row.by },
  { name: "detectable", type: "number", read: (row) => row.detectable },
  { name: "reason", type: "text", read: (row) => row.reason },
];

/**
 * Makes one table of all variants of a sweep, with p values that are adjusted for their number, and enters each one in the ledger.
 *
 * The mean IC of a variant is tested as {@link informationSummary} does. Variants without a p value (too few sessions) stand
 * last and do not count for the adjustment. Variants of one factor are much alike, so that the adjusted values err on the side
 * of caution.
 *
 * @throws {TypeError} If the sweep is not one
 * @throws {IntegrityError} If a variant lacks a partition, has one twice, or parts of other data or questions
 *
 * @example
 * ```ts ignore
 * const { table } = await mergeSweep({ sweep: "sweep.json", out: "result" });
 * ```
 */
export async function mergeSweep(options: MergeSweepOptions): Promise<SweepResult> {
  assertKnownOptions("merge a sweep", options, ["sweep", "out", "ledger"]);
  const { sweep: path, out } = options;
  const sweep = await readSweep(path);
  const ledger = options.ledger ?? openLedger(out);
  const rows: SweepRow[] = [];
  let isSynthetic = false;
  for (const variant of sweep.variants) {
    const parts = await partsOf(out, variant);
    const { facts } = parts[0]!;
    assertAsked(facts, sweep, variant);
    isSynthetic ||= facts.origin.isSynthetic;
    rows.push(...rowsOf(variant, stack(parts.map(({ tables }) => tables), "ic")!));
  }
  for (const { variant, factor, transform, lag, universe, horizon, sessions: n, t, p } of rows) {
    const asked = { variant, factor, transform, lag, universe, horizon };
    ledger.enter({ what: "mean IC of a sweep", options: asked, n, t, p });
  }
  const table = frameOfRows(adjusted(rows), COLUMNS);
  markSynthetic(table, isSynthetic ? ["synthetic"] : []);
  return { table, ledger, isSynthetic };
}

async function partsOf(out: string, variant: Variant) {
  const folder = partsFolder(out, variant);
  const names = await onDisk(`read ${folder}`, () =>
    readdir(folder).catch((error) => {
      if (isCode(error, "ENOENT")) return [];
      throw error;
    }));
  const paths = names.filter((name) => /^[^.].*\.parquet$/.test(name)).map((name) =>
    join(folder, name)
  );
  if (paths.length > 0) return await readWholeParts(paths);
  throw new IntegrityError(
    `Cannot merge the sweep: expected parts of ${variant.name} in ${folder}, got none; sweep each partition first`,
  );
}

/** Refuses parts that were computed when the sweep said something else. */
function assertAsked({ factor, question }: PartFacts, sweep: Sweep, variant: Variant): void {
  const compared = [
    [variantText(variant), factor],
    [JSON.stringify(toPartQuestion(readPartOptions(sweep.question))), JSON.stringify(question)],
  ];
  for (const [expected, found] of compared) {
    if (expected === found) continue;
    throw new IntegrityError(
      `Cannot merge the sweep: expected parts of ${expected}, got ${found}; sweep each partition again`,
    );
  }
}

function rowsOf({ name, options }: Variant & { readonly options: VariantOptions }, ic: DataFrame) {
  const records = informationSummary(ic).table.toRecords() as unknown as readonly SweepRow[];
  return records.map((row): SweepRow => ({ ...row, ...options, variant: name }));
}

function adjusted(rows: readonly SweepRow[]): readonly Adjusted[] {
  const p = rows.map((row) => row.p);
  const [holm, by] = [adjustPValues(p, "holm"), adjustPValues(p, "benjamini-yekutieli")];
  return rows.map((row, i) => ({ ...row, holm: holm[i]!, by: by[i]! }))
    .toSorted((a, b) => (a.p ?? 2) - (b.p ?? 2));
}
