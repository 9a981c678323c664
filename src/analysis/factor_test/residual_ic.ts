import { type DenseScores, returnsOf } from "../dense/dense_scores.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { TESTED_COLUMNS, type TestedMean } from "../inference/tested_mean.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { rankIc } from "../cross_section/correlation/rank_ic.ts";
import { testMean } from "../inference/test_mean.ts";
import { meanOf } from "../../base/statistics/moments.ts";

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

/** Mean ICs of two scores at one horizon, over the sessions in which both have one, and the test of the first minus the second. */
interface PairedIcs extends TestedMean {
  readonly horizon: number;
  /** Mean IC of the first; `null` without a common session. */
  readonly first: number | null;
  /** Mean IC of the second. */
  readonly second: number | null;
}

/** Input of {@link pairedIcs}. */
interface PairedPlan {
  readonly horizons: readonly number[];
  readonly minNames: number;
  /** Purpose of the ICs, as a phrase that follows "Cannot". */
  readonly action: string;
}

/** ICs of two scores over the sessions in which both have one, and a test of their mean difference. */
export function pairedIcs(
  first: DenseScores,
  second: DenseScores,
  { horizons, minNames, action }: PairedPlan,
): readonly PairedIcs[] {
  return horizons.map((horizon) => {
    const [a, b] = [first, second].map((dense) => icByDay(dense, { horizon, minNames, action }));
    const both = [...b!].flatMap(([day, { value, place }]) => {
      const other = a!.get(day)?.value ?? NaN;
      if (Number.isNaN(other) || Number.isNaN(value)) return [];
      return [{ place, first: other, second: value }];
    });
    const test = testMean({
      values: Float64Array.from(both, (row) => row.first - row.second),
      places: Int32Array.from(both, ({ place }) => place),
      horizon,
    });
    const mean = (values: readonly number[]) => values.length === 0 ? null : meanOf(values);
    return {
      horizon,
      first: mean(both.map((row) => row.first)),
      second: mean(both.map((row) => row.second)),
      ...test,
    };
  });
}

function icByDay(
  dense: DenseScores,
  { horizon, minNames, action }: Omit<PairedPlan, "horizons"> & { readonly horizon: number },
) {
  const { scores, from, to, tickers, days } = dense;
  const returns = [returnsOf(action, dense, horizon)];
  const span: [number, number] = [from, to];
  const [ic] = rankIc({ scores, returns, span, width: tickers.length, minNames });
  return new Map(
    Array.from(ic!.values, (value, i) => [days[from + i]!, { value, place: from + i }]),
  );
}
