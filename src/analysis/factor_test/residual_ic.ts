import type { DenseScores } from "../dense/dense_scores.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { TESTED_COLUMNS } from "../inference/tested_columns.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { pairedIcs } from "./paired_ics.ts";

/** Columns of the residual ICs beside the raw ones. */
export const RESIDUAL_IC_COLUMNS = {
  horizon: "count",
  raw: "number",
  residual: "number",
  specific: "number",
  ...TESTED_COLUMNS,
} as const;

/**
 * Mean residual IC and raw IC of the same stocks, and a test of their difference: the part of the IC due to the exposures.
 */
export function compareResidualIc(
  raw: DenseScores,
  residual: DenseScores,
  specific: DenseScores,
  minNames: number,
): TableFrame<typeof RESIDUAL_IC_COLUMNS> {
  // A stock without an exposure has no residual and would enter the raw IC only.
  const same = {
    ...raw,
    scores: raw.scores.map((score, cell) => Number.isNaN(residual.scores[cell]!) ? NaN : score),
  };
  const plan = { horizons: residual.periods, minNames, action: "correlate residual scores" };
  const own = pairedIcs(specific, residual, plan);
  const rows = pairedIcs(residual, same, plan)
    .map((row, i) => ({ ...row, specific: own[i]!.first }));
  return tableOfRows(rows, RESIDUAL_IC_COLUMNS, {
    raw: ({ second }) => second,
    residual: ({ first }) => first,
    sessions: ({ n }) => n,
  });
}
