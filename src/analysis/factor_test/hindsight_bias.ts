import type { DataFrame } from "nodejs-polars";
import { ANY_VALUE, checkOptions, type OptionRules } from "../../arguments/check_options.ts";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { rankIc } from "../cross_section/correlation/rank_ic.ts";
import { readMinNames } from "../cross_section/read_options.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { meanOf } from "../../statistics/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { testedColumns } from "../inference/tested_columns.ts";

const ACTION = "compare latest scores with known ones";

/** Options of {@link hindsightBias}. */
export interface HindsightBiasOptions {
  /** Number of stocks below which there is no correlation. @default 10 */
  readonly minNames?: number;
}

const RULES: OptionRules<HindsightBiasOptions> = { minNames: ANY_VALUE };

/**
 * Bias of hindsight: mean information coefficient of the latest scores, of those that were known at the time, and a test of
 * their difference, over the sessions that both have.
 *
 * One row a horizon: `horizon`, `latest` and `known` (mean over the sessions that both have), and of the difference `mean`,
 * `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions`, `reason`.
 *
 * @param latest The alignment of a release, or of the scores as they are today
 * @param known The alignment of a panel: the scores that were known in each session
 * @returns A frame of one row a horizon: both ICs, and the test of their difference
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If minNames is below 2, or the two have no horizon in common
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { hindsightBias } from "scoreframe/analysis";
 *
 * const frame = (score: number[]) =>
 *   pl.DataFrame({
 *     session: ["2026-10-30", "2026-10-30"],
 *     ticker: ["A", "B"],
 *     score,
 *     return_1: [0.01, 0.02],
 *   });
 * const [row] = hindsightBias(frame([1, 2]), frame([2, 1]), { minNames: 2 }).toRecords();
 * if (row?.latest !== 1 || row.known !== -1 || row.mean !== 2) throw new Error("hindsight");
 * ```
 */
export function hindsightBias(
  latest: HasDense | DataFrame,
  known: HasDense | DataFrame,
  options: HindsightBiasOptions = {},
): DataFrame {
  checkOptions("call hindsightBias()", options, RULES);
  const minNames = readMinNames(ACTION, options.minNames);
  const [a, b] = [toDense(ACTION, latest), toDense(ACTION, known)];
  assertCommonSessions(a, b);
  const rows = commonHorizons(a, b).map((horizon) => {
    const [first, second] = [a, b].map((dense) => icByDay(dense, horizon, minNames));
    const both = [...second!].flatMap(([day, { value, place }]) => {
      const other = first!.get(day)?.value ?? NaN;
      if (Number.isNaN(other) || Number.isNaN(value)) return [];
      return [{ place, latest: other, known: value }];
    });
    const test = testMean({
      values: Float64Array.from(both, (row) => row.latest - row.known),
      places: Int32Array.from(both, ({ place }) => place),
      horizon,
    });
    const mean = (values: readonly number[]) => values.length === 0 ? null : meanOf(values);
    return {
      horizon,
      latest: mean(both.map((row) => row.latest)),
      known: mean(both.map((row) => row.known)),
      test,
    };
  });
  return frameOfRows(rows, [
    { name: "horizon", type: "count", read: ({ horizon }) => horizon },
    { name: "latest", type: "number", read: (row) => row.latest },
    { name: "known", type: "number", read: (row) => row.known },
    ...testedColumns<typeof rows[number]>(({ test }) => test),
  ]);
}

function commonHorizons(latest: DenseScores, known: DenseScores): readonly number[] {
  const common = latest.periods.filter((horizon) => known.periods.includes(horizon));
  if (common.length > 0) return common;
  throw new RangeError(
    `Cannot ${ACTION}: expected returns of a common horizon, got ${
      horizonsText(latest)
    } for the latest ` +
      `scores and ${horizonsText(known)} for the known ones; align both with the same returns`,
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
    `Cannot ${ACTION}: expected sessions that both have, got none; the latest scores have ${
      span(of(latest))
    }, the ` +
      `known ones ${span(of(known))}`,
  );
}

function icByDay(dense: DenseScores, horizon: number, minNames: number) {
  const { scores, from, to, tickers, days } = dense;
  const returns = [returnsOf(ACTION, dense, horizon)];
  const span: [number, number] = [from, to];
  const [ic] = rankIc({ scores, returns, span, width: tickers.length, minNames });
  return new Map(
    Array.from(ic!.values, (value, i) => [days[from + i]!, { value, place: from + i }]),
  );
}
