import { type Aligned, alignRows } from "../aligned/align.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { compareResidualIc, type RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import { specificReturns } from "../transform/specific_returns.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import { layOutRows } from "../aligned/sessions/lay_out_scores.ts";
import type { AnalysedScores } from "./analysed_scores.ts";

/** Residual scores beside the raw ones. */
interface Compared {
  /** Their ICs; `null` if the scores were not neutralised. */
  readonly residualIc: TableFrame<typeof RESIDUAL_IC_COLUMNS> | null;
  /** Number of rows with a raw score and no residual one. */
  readonly unexposed: number;
}

/** Residual ICs, raw ICs under the same alignment rules, and ICs with residual returns. */
export function compareWithRaw(
  raw: AnalysedScores["raw"],
  aligned: Aligned,
  returns: ForwardReturns,
  { align: rules, minNames }: AnalysisPlan,
): Compared {
  if (raw === null) return { residualIc: null, unexposed: 0 };
  const { rows, exposures: { columns, groups } } = raw;
  const given = alignRows(rows, returns, rules);
  const laid = (scores: Float64Array) =>
    layOutRows({ ...rows, scores, groups: null }, returns, { ...rules, entry: aligned.entry })
      .dense.scores;
  const specific = specificReturns(aligned.dense, {
    columns: columns.map(laid),
    groups: groups && laid(Float64Array.from(groups, (code) => code === -1 ? NaN : code)),
  });
  return {
    residualIc: compareResidualIc(given.dense, aligned.dense, specific.dense, minNames),
    unexposed: withoutScore(aligned) - withoutScore(given),
  };
}

function withoutScore({ loss }: Aligned): number {
  return loss.table.toRecords().find(({ reason }) => reason === "no_score")?.rows ?? 0;
}
