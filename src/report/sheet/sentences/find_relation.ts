import { LEVEL } from "../../../base/statistics/level.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { numberIn, type Row, rowsOf, textIn } from "../../chart/grammar/values.ts";

/** Horizons whose mean IC is significant, those with a test, and all. */
export interface Relation {
  /** Rows of the mean IC by horizon, with `p_adjusted`. */
  readonly rows: readonly Row[];
  readonly tested: readonly Row[];
  /** Rows with an adjusted p value below 5%. */
  readonly found: readonly Row[];
  /** Number of tests with a p value in the correction. */
  readonly tests: number;
}

/** Finds the horizons at which the mean IC differs from zero, after Holm's correction for every test of the trial log. */
export function findRelation({ summary, trialLog, origin }: FactorAnalysis): Relation {
  const log = rowsOf(trialLog.table());
  const own = log.filter((row) => row["what"] === "mean IC" && row["of"] === origin.what);
  const rows = rowsOf(summary.table).map((row) => {
    const horizon = numberIn(row, "horizon");
    const logged = own.find((one) => horizonOf(one) === horizon && one["p"] === row["p"]);
    return { ...row, p_adjusted: logged?.["p_adjusted"] ?? row["p"] ?? null };
  });
  const tested = rows.filter((row) => !Number.isNaN(numberIn(row, "p")));
  const tests = log.filter((row) => !Number.isNaN(numberIn(row, "p"))).length;
  return {
    rows,
    tested,
    found: tested.filter((row) => numberIn(row, "p_adjusted") < LEVEL),
    tests: Math.max(tests, tested.length),
  };
}

function horizonOf(row: Row): number {
  return Number((JSON.parse(textIn(row, "options") || "{}") as { horizon?: number }).horizon);
}
