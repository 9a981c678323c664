import type { DenseScores } from "../dense/dense_scores.ts";
import type { TableFrame } from "../../frame/typed/table_frame.ts";
import { TESTED_COLUMNS, testedReaders } from "../inference/tested_columns.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { pairedIcs } from "./paired_ics.ts";

/** Columns of the residual ICs beside the raw ones. */
export const RESIDUAL_IC_COLUMNS = {
  horizon: "count",
  raw: "number",
  residual: "number",
  ...TESTED_COLUMNS,
} as const;

/**
 * Mean residual IC beside the raw IC of the same stocks, and a test of their difference: how much of the IC the exposures carry.
 *
 * @param raw The scores as given
 * @param residual The scores that were made neutral, laid out on the same sessions and tickers
 */
export function compareResidualIc(
  raw: DenseScores,
  residual: DenseScores,
  minNames: number,
): TableFrame<typeof RESIDUAL_IC_COLUMNS> {
  // A stock without a residual, for want of an exposure, would be in one of the two alone.
  const same = {
    ...raw,
    scores: raw.scores.map((score, cell) => Number.isNaN(residual.scores[cell]!) ? NaN : score),
  };
  const rows = pairedIcs(residual, same, {
    horizons: residual.periods,
    minNames,
    action: "correlate residual scores",
  });
  return tableOfRows(rows, RESIDUAL_IC_COLUMNS, {
    horizon: ({ horizon }) => horizon,
    raw: ({ second }) => second,
    residual: ({ first }) => first,
    ...testedReaders<typeof rows[number]>(({ test }) => test),
  });
}
