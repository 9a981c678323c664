import type { DataFrame } from "nodejs-polars";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { align } from "../aligned/align.ts";
import type { Aligned } from "../aligned/aligned.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { compareResidualIc, type RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import { readTexts } from "../table/read_columns.ts";
import { type DenseExposures, specificReturns } from "../transform/specific_returns.ts";
import type { AnalysisPlan, AnalyzeFactorOptions } from "./analysis_options.ts";

/** Neutralised scores, and the rules of their alignment. */
export interface NeutralAnalysis {
  readonly aligned: Aligned;
  readonly returns: ForwardReturns;
  readonly plan: AnalysisPlan;
  readonly options: Pick<AnalyzeFactorOptions, "neutral">;
}

/** Residual scores beside the raw ones. */
interface Compared {
  /** Their ICs; `null` if the scores were not neutralised. */
  readonly residualIc: TableFrame<typeof RESIDUAL_IC_COLUMNS> | null;
  /** Number of rows with a raw score and no residual one. */
  readonly unexposed: number;
}

/**
 * Residual ICs, raw ICs under the same alignment rules, and ICs with residual returns.
 */
export function compareWithRaw(
  scores: DataFrame,
  { aligned, returns, plan, options: { neutral } }: NeutralAnalysis,
): Compared {
  if (neutral === undefined) return { residualIc: null, unexposed: 0 };
  const raw = align(scores, returns, plan.align);
  const exposures = alignExposures(scores, neutral, { returns, plan });
  const specific = specificReturns(aligned.dense, exposures).dense;
  const sides = { raw: raw.dense, residual: aligned.dense, specific };
  return {
    residualIc: compareResidualIc(sides, plan.minNames),
    unexposed: withoutScore(aligned) - withoutScore(raw),
  };
}

function withoutScore({ loss }: Aligned): number {
  return loss.table.toRecords().find(({ reason }) => reason === "no_score")?.rows ?? 0;
}

const GROUP = "group code";

/** Exposures by session, assigned like the scores. */
function alignExposures(
  scores: DataFrame,
  { group, on = [] }: NonNullable<AnalyzeFactorOptions["neutral"]>,
  { returns, plan }: Pick<NeutralAnalysis, "returns" | "plan">,
): DenseExposures {
  // The alignment of the scores has already applied maxLoss.
  const { maxLoss: _, ...rules } = plan.align;
  const valuesOf = (rows: DataFrame, score: string) =>
    align(rows, returns, { ...rules, score }).dense.scores;
  const columns = on.map((name) => valuesOf(scores, name));
  if (group === undefined) return { columns, groups: null };
  const { codes } = readTexts("make returns neutral", scores, group);
  const coded = scores.withColumns(
    numberColumn(GROUP, Float64Array.from(codes, (code) => code === -1 ? NaN : code)),
  );
  return { columns, groups: valuesOf(coded, GROUP) };
}
