import type { DataFrame } from "nodejs-polars";
import type { PermutationTestOptions } from "./permutation_test.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { TESTED_COLUMNS } from "../inference/tested_mean.ts";
import { pairedIcs } from "./residual_ic.ts";

/** Columns of the table, in order. */
export const BIAS_COLUMNS = {
  horizon: "count",
  latest: "number",
  known: "number",
  ...TESTED_COLUMNS,
} as const;

const ACTION = "compare latest scores with known ones";

const RULES: OptionRules<Pick<PermutationTestOptions, "minNames">> = { minNames: MIN_NAMES };

/**
 * Hindsight bias: mean information coefficient of the latest scores and of those known at the time, and a test of their
 * difference, over their common sessions.
 *
 * One row per horizon: `horizon`, `latest` and `known` (means over the common sessions), and for the difference `mean`,
 * `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions`, `reason`.
 *
 * @param latest The alignment of a release, or of the scores as they are today
 * @param known The alignment of a panel: the scores that were known in each session
 * @returns A frame of one row per horizon: both ICs, and the test of their difference
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If minNames is below 2, or the two have no horizon in common
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 */
export function hindsightBias(
  latest: HasDense | DataFrame,
  known: HasDense | DataFrame,
  options: Pick<PermutationTestOptions, "minNames"> = {},
): TableFrame<typeof BIAS_COLUMNS> {
  checkOptions("call hindsightBias()", options, RULES);
  const { minNames = DEFAULT_MIN_NAMES } = options;
  const [a, b] = [toDense(ACTION, latest), toDense(ACTION, known)];
  assertCommonSessions(a, b);
  const horizons = commonHorizons(a, b);
  const rows = pairedIcs(a, b, { horizons, minNames, action: ACTION });
  return tableOfRows(rows, BIAS_COLUMNS, {
    latest: (row) => row.first,
    known: (row) => row.second,
    sessions: ({ n }) => n,
  });
}

function commonHorizons(latest: DenseScores, known: DenseScores): readonly number[] {
  const common = latest.periods.filter((horizon) => known.periods.includes(horizon));
  if (common.length > 0) return common;
  throw new RangeError(
    `Cannot ${ACTION}: expected returns of a common horizon, got ${horizonsText(latest)} for the ` +
      `latest scores and ${horizonsText(known)} for the known ones; align both with the same ` +
      "returns",
  );
}

function horizonsText({ periods }: DenseScores): string {
  return periods.join(", ") || "none";
}

function assertCommonSessions(latest: DenseScores, known: DenseScores): void {
  const of = ({ days, from, to }: DenseScores) => days.subarray(from, to);
  const days = new Set(of(known));
  if (of(latest).some((day) => days.has(day))) return;
  const span = (all: Int32Array) =>
    all.length === 0 ? "none" : `${fromEpochDay(all[0]!)} to ${fromEpochDay(all.at(-1)!)}`;
  throw new RangeError(
    `Cannot ${ACTION}: expected sessions that both have, got none; the latest scores have ` +
      `${span(of(latest))}, the known ones ${span(of(known))}`,
  );
}
