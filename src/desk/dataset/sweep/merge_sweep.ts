import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { stack } from "../part/merge_tables.ts";
import { adjustPValues } from "../../../analysis/inference/adjust_p_values.ts";
import {
  type BacktestOverfitting,
  overfittingOfCommon,
} from "../../../analysis/selection/backtest_overfitting.ts";
import { type BestOf, bestOfCommon } from "../../../analysis/selection/best_of.ts";
import { readVariants } from "../../../analysis/selection/read_variants.ts";
import { type TrialLog, trialLog as openTrialLog } from "../../../analysis/trial_log/trial_log.ts";
import { informationSummary } from "../../../analysis/series/information_summary.ts";
import { frameOfRows, type RowColumn } from "../../../analysis/table/frame_of_rows.ts";
import { differing } from "../../../base/wording/differing.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { IntegrityError } from "../../../base/errors.ts";
import { markSynthetic } from "../../../frames/frame/provenance/synthetic_lineage.ts";
import { isCode } from "../../../base/disk/files.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { readWholeParts } from "../part/merge_partitions.ts";
import { type PartFacts, readPartOptions, toPartQuestion } from "../part/part_facts.ts";
import type { Sweep } from "./sweep.ts";
import { type SweepCurve, sweepCurve } from "./sweep_curve.ts";
import { partsFolder, readSweep } from "./sweep_partition.ts";
import { type Variant, type VariantOptions, variantText } from "./variant.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";

/** Options of {@link mergeSweep}. */
export interface MergeSweepOptions {
  /** Path of the sweep, a JSON file. */
  readonly sweep: string;
  /** Folder of the result, with the parts. */
  readonly out: string;
  /**
   * Trial log for every variant.
   *
   * @default `trial_log.jsonl` in the folder of the result
   */
  readonly trialLog?: TrialLog;
}

/** Result of a sweep. */
export interface SweepResult {
  /**
   * One row per variant and horizon, smallest p value first: `variant`, `also` (further variants with the same ranks, which are the same
   * test and counted once), `factor`, `transform`, `lag`, `universe`, `horizon`, `sessions`,
   * `mean` (of the rank ICs by session), `ratio`, `t`, `df`, `p`, `p_holm` and `p_by` (adjusted for all rows with a p value: family-wise
   * error rate, Holm 1979; false discovery rate, Benjamini and Yekutieli 2001), `p_stepm` (family-wise error rate with the dependence of
   * the variants, Romano and Wolf 2005; over the sessions that all of them have), `detectable`, `reason`.
   */
  readonly table: DataFrame;
  /** Judgement of the sweep: the best variant, the test of all of them, and the probability of backtest overfitting. */
  readonly text: string;
  /** Test of all variants at once, by `bestOf()`. */
  readonly family: BestOf;
  /**
   * The specification curve whose specifications are the variants and horizons: the range of their mean ICs, and the joint test. It is
   * computed when it is first read.
   */
  readonly curve: SweepCurve;
  /** Probability that the choice of the best is overfitting; `null` for a single series. */
  readonly overfitting: BacktestOverfitting | null;
  /** Trial log with every variant, after the earlier entries. */
  readonly trialLog: TrialLog;
  /** `true` if any score is synthetic. */
  readonly isSynthetic: boolean;
}

interface SweepRow extends VariantOptions {
  readonly variant: string;
  readonly also: string | null;
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

type Adjusted = SweepRow & Readonly<Record<"holm" | "by" | "stepm", number | null>>;

const COLUMNS: readonly RowColumn<Adjusted>[] = [
  { name: "variant", type: "text", read: (row) => row.variant },
  { name: "also", type: "text", read: (row) => row.also },
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
  { name: "p_stepm", type: "number", read: (row) => row.stepm },
  { name: "detectable", type: "number", read: (row) => row.detectable },
  { name: "reason", type: "text", read: (row) => row.reason },
];

/**
 * Makes one table of all variants of a sweep, with p values adjusted for their number, and enters each in the trial log.
 *
 * The mean IC of a variant is tested as in {@link informationSummary}. Variants without a p value (too few sessions) come last
 * and are not counted in the adjustment. Variants of one factor are highly correlated, so that Holm's values are conservative;
 * `p_stepm` counts their dependence.
 *
 * @throws {TypeError} If the sweep is malformed
 * @throws {IntegrityError} If a variant lacks or repeats a partition, or has parts of other data or questions
 *
 * @example
 * ```ts ignore
 * const { table } = await mergeSweep({ sweep: "sweep.json", out: "result" });
 * ```
 */
export async function mergeSweep(options: MergeSweepOptions): Promise<SweepResult> {
  checkOptions("merge a sweep", options, ["sweep", "out", "trialLog"]);
  const { sweep: path, out } = options;
  for (const given of [path, out]) refuseAddress("merge a sweep", given);
  const sweep = await readSweep(path);
  const trialLog = options.trialLog ?? openTrialLog(out);
  const rows: SweepRow[] = [];
  const series: Record<string, DataFrame> = {};
  let isSynthetic = false;
  for (const variant of sweep.variants) {
    const parts = await partsOf(out, variant);
    const { facts } = parts[0]!;
    assertAsked(facts, sweep, variant);
    isSynthetic ||= facts.origin.isSynthetic;
    const ic = stack(parts.map(({ tables }) => tables), "ic")!;
    series[variant.name] = ic;
    rows.push(...rowsOf(variant, ic));
  }
  for (const { variant, factor, transform, lag, universe, horizon, sessions: n, t, p } of rows) {
    const asked = { variant, factor, transform, lag, universe, horizon };
    trialLog.enter({ what: "mean IC of a sweep", options: asked, n, t, p });
  }
  const common = readVariants("merge a sweep", series, {});
  const family = bestOfCommon(common);
  const overfitting = rows.length < 2 ? null : overfittingOfCommon(common);
  const table = frameOfRows(adjusted(rows, family), COLUMNS);
  markSynthetic(table, isSynthetic ? ["synthetic"] : []);
  const text = [family.text, ...overfitting === null ? [] : [overfitting.text]].join(" ");
  let curve: SweepCurve | null = null;
  return {
    ...{ table, text, family, overfitting, trialLog, isSynthetic },
    get curve() {
      return curve ??= sweepCurve(series, { isSynthetic });
    },
  };
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
  if (paths.length > 0) return await readWholeParts(paths, `merge the parts of ${variant.name}`);
  throw new IntegrityError(
    `Cannot merge the sweep: expected parts of ${variant.name} in ${folder}, got none; sweep each partition first`,
  );
}

/** Refuses parts of an earlier version of the sweep. */
function assertAsked({ factor, question }: PartFacts, sweep: Sweep, variant: Variant): void {
  const compared = [
    [variantText(variant), factor],
    [JSON.stringify(toPartQuestion(readPartOptions(sweep.question))), JSON.stringify(question)],
  ];
  for (const [expected, found] of compared) {
    if (expected === found) continue;
    const [asked, got] = differing(expected!, found!);
    throw new IntegrityError(
      `Cannot merge the sweep: expected parts of ${asked}, got ${got}; sweep each partition again`,
    );
  }
}

function rowsOf({ name, also, options }: Sweep["variants"][number], ic: DataFrame) {
  const records = informationSummary(ic).table.toRecords() as unknown as readonly SweepRow[];
  return records.map((row): SweepRow => ({
    ...row,
    ...options,
    variant: name,
    also: also.join(", ") || null,
  }));
}

function adjusted(rows: readonly SweepRow[], family: BestOf): readonly Adjusted[] {
  const p = rows.map((row) => row.p);
  const [holm, by] = [adjustPValues(p, "holm"), adjustPValues(p, "benjamini-yekutieli")];
  const keyOf = (row: Readonly<Record<string, unknown>>) => `${row["variant"]} ${row["horizon"]}`;
  const stepm = new Map(
    family.table.toRecords().map((row) => [keyOf(row), row["p_adjusted"] as number | null]),
  );
  return rows.map((row, i) => ({
    ...row,
    ...{ holm: holm[i]!, by: by[i]!, stepm: stepm.get(keyOf({ ...row })) ?? null },
  })).toSorted((a, b) => (a.p ?? 2) - (b.p ?? 2));
}
