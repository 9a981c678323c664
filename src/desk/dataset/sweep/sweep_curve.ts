import type { DataFrame } from "nodejs-polars";
import { testMean } from "../../../analysis/inference/test_mean.ts";
import { summariseCurve, summaryFrame } from "../../../analysis/selection/summarise_curve.ts";
import { onCommonSessions } from "../../../analysis/series/common_sessions.ts";
import { readSeries } from "../../../analysis/series/read_series.ts";
import { markSynthetic } from "../../../frames/frame/provenance/synthetic_lineage.ts";
import { curveText } from "../../../base/wording/sentences/selection_text.ts";

/** The specification curve of a sweep, whose specifications are its variants and horizons. */
export interface SweepCurve {
  /** One row, as in `specificationCurve()`: smallest, median and largest mean IC, and the p values of the joint test. */
  readonly summary: DataFrame;
  /** The range and the joint test in words. */
  readonly text: string;
}

const DRAWS = 999;
const SEED = 1;

/** Range and joint test of the mean ICs of all variants. */
export function sweepCurve(
  series: Readonly<Record<string, DataFrame>>,
  { isSynthetic }: { readonly isSynthetic: boolean },
): SweepCurve {
  const all = Object.values(series).flatMap((ic) => readSeries("merge a sweep", ic));
  const estimates = all.map((one) => {
    const [known] = onCommonSessions([one]);
    return { series: known!, tested: testMean(known!) };
  });
  const said = summariseCurve(estimates, { draws: DRAWS, seed: SEED });
  const summary = markSynthetic(summaryFrame(said), isSynthetic ? ["synthetic"] : []);
  return { summary, text: curveText(said) };
}
