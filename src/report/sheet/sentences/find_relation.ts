import type { TableRow } from "../../../frames/frame/typed/table_frame.ts";
import type { SUMMARY_COLUMNS } from "../../../analysis/series/information_summary.ts";
import { LEVEL } from "../../../base/statistics/level.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";

/** The mean IC of a horizon, with its p value after the correction. */
export type RelationRow =
  & TableRow<typeof SUMMARY_COLUMNS>
  & { readonly p_adjusted: number | null };

/** Horizons whose mean IC is significant, those with a test, and all. */
export interface Relation {
  readonly rows: readonly RelationRow[];
  readonly tested: readonly RelationRow[];
  /** Rows with an adjusted p value below 5%. */
  readonly found: readonly RelationRow[];
  /** Number of tests with a p value in the correction. */
  readonly tests: number;
}

/** Finds the horizons at which the mean IC differs from zero, after Holm's correction for every test of the trial log. */
export function findRelation({ summary, trialLog, origin }: FactorAnalysis): Relation {
  const log = trialLog.table().toRecords();
  const own = log.filter((row) => row.what === "mean IC" && row.of === origin.what);
  const rows = summary.table.toRecords().map((row) => {
    const logged = own.find((one) => horizonOf(one.options) === row.horizon && one.p === row.p);
    return { ...row, p_adjusted: logged?.p_adjusted ?? row.p };
  });
  const tested = rows.filter(({ p }) => p !== null);
  const tests = log.filter(({ p }) => p !== null).length;
  return {
    rows,
    tested,
    found: tested.filter(({ p_adjusted: p }) => p! < LEVEL),
    tests: Math.max(tests, tested.length),
  };
}

function horizonOf(options: string | null): number | undefined {
  return (JSON.parse(options ?? "{}") as { horizon?: number }).horizon;
}
