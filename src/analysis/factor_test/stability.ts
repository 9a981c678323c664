import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import {
  checkOptions,
  oneOf,
  type OptionRules,
  READ_BY_VERB,
} from "../../arguments/check_options.ts";
import { groupPartition } from "../cross_section/partition.ts";
import { rankIc, rankIcOfParts } from "../cross_section/rank_ic.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { equalMeansOfPeriods } from "../inference/equal_means_of_periods.ts";
import { equalMeansOfSeries } from "../inference/equal_means_of_series.ts";
import type { JointResult } from "../inference/joint_result.ts";
import { deviationOf, medianOf } from "../inference/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { testedColumns } from "./_tested_columns.ts";

/** What correlations are compared over. */
export interface StabilityOptions {
  /**
   * Calendar years; sessions of low and high volatility (of the mean return of all names over the last 21 sessions, split at its
   * median); or groups.
   *
   * @default "year"
   */
  readonly by?: "year" | "volatility" | "group";
  /** Below how many names there is no correlation. @default 10 */
  readonly minNames?: number;
}

/** Whether the information coefficient is the same in parts of the sample. */
export interface Stability {
  /** One row a horizon and part: `horizon`, `part`, and the test of its mean. */
  readonly parts: DataFrame;
  /** One row a horizon: `horizon`, `f`, `df1`, `df2`, `p` of the hypothesis that all parts have one mean, `reason`. */
  readonly joint: DataFrame;
}

const RULES: OptionRules<StabilityOptions> = {
  by: oneOf("year", "volatility", "group"),
  minNames: READ_BY_VERB,
};
const ACTION = "compare parts of the sample";
const WINDOW = 21;

interface Part {
  readonly name: string;
  readonly values: Float64Array;
}

/**
 * The information coefficient in parts of the sample, with a joint test that they are equal: of groups over the same sessions by
 * the Wald statistic with equal-weighted cosines, of periods by Welch's test on their means.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @throws {TypeError} If groups are asked for and there are none
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { stability } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2025-10-30", "2025-10-30", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0, 1, 0, 1],
 *   return_1: [0, 0.01, 0.01, 0],
 * });
 * const { parts } = stability(data, { minNames: 2 });
 * if (parts.getColumn("mean").toArray().join() !== "1,-1") throw new Error("2025 and 2026");
 * ```
 */
export function stability(data: HasDense | DataFrame, options: StabilityOptions = {}): Stability {
  checkOptions("stability()", options, RULES);
  const { by = "year", minNames = 10 } = options;
  const dense = toDense(ACTION, data);
  const places = Int32Array.from({ length: dense.to - dense.from }, (_, i) => dense.from + i);
  const results = dense.periods.map((horizon) => {
    const parts = by === "group"
      ? ofGroups(dense, horizon, minNames)
      : ofPeriods(dense, { horizon, minNames }, by === "year" ? yearsOf(dense) : volatility(dense));
    const tests = parts.map(({ values }) => testMean({ values, places, horizon }));
    const joint = parts.length < 2
      ? null
      : by === "group"
      ? jointOfGroups(parts, horizon)
      : equalMeansOfPeriods(tests);
    return { horizon, parts, tests, joint };
  });
  const rows = results.flatMap(({ horizon, parts, tests }) =>
    parts.map(({ name }, i) => ({ horizon, name, test: tests[i]! }))
  );
  return {
    parts: frameOfRows(rows, [
      { name: "horizon", type: "count", read: ({ horizon }) => horizon },
      { name: "part", type: "text", read: ({ name }) => name },
      ...testedColumns<typeof rows[number]>(({ test }) => test),
    ]),
    joint: frameOfRows(results, [
      { name: "horizon", type: "count", read: ({ horizon }) => horizon },
      { name: "f", type: "number", read: ({ joint }) => joint?.f ?? null },
      { name: "df1", type: "count", read: ({ joint }) => joint?.df1 ?? null },
      { name: "df2", type: "number", read: ({ joint }) => joint?.df2 ?? null },
      { name: "p", type: "number", read: ({ joint }) => joint?.p ?? null },
      {
        name: "reason",
        type: "text",
        read: ({ joint }) => joint === null ? "too_few_windows" : joint.reason,
      },
    ]),
  };
}

function input(dense: DenseScores, minNames: number) {
  const span: [number, number] = [dense.from, dense.to];
  return { scores: dense.scores, span, width: dense.tickers.length, minNames };
}

function ofGroups(dense: DenseScores, horizon: number, minNames: number): readonly Part[] {
  const { codes, names } = groupPartition(`${ACTION} by group`, dense);
  const returns = returnsOf(ACTION, dense, horizon);
  return rankIcOfParts({ ...input(dense, minNames), returns }, codes, names.length)
    .map(({ values }, i) => ({ name: names[i]!, values }));
}

interface PeriodRules {
  readonly horizon: number;
  readonly minNames: number;
}

function ofPeriods(
  dense: DenseScores,
  { horizon, minNames }: PeriodRules,
  partOf: readonly (string | null)[],
): readonly Part[] {
  const returns = [returnsOf(ACTION, dense, horizon)];
  const [ic] = rankIc({ ...input(dense, minNames), returns });
  const names = [...new Set(partOf.filter((part) => part !== null))].toSorted();
  return names.map((name) => ({
    name,
    values: ic!.values.map((value, session) => partOf[session] === name ? value : NaN),
  }));
}

function yearsOf({ days, from, to }: DenseScores): readonly string[] {
  return Array.from(days.subarray(from, to), (day) => fromEpochDay(day).slice(0, 4));
}

/** The return of a session is known at the next one, so that the last 21 known ones end one session earlier. */
function volatility(dense: DenseScores): readonly (string | null)[] {
  const market = universeReturns(dense, 1);
  const deviations = Array.from(market, (_, session) => {
    const window = market.subarray(Math.max(0, session - WINDOW), session);
    const known = window.filter((value) => !Number.isNaN(value));
    return known.length < WINDOW ? null : deviationOf(known);
  });
  const middle = medianOf(deviations.filter((value) => value !== null));
  return deviations.map((value) => value === null ? null : value > middle ? "high" : "low");
}

function jointOfGroups(parts: readonly Part[], horizon: number): JointResult {
  const whole = [...parts[0]!.values.keys()]
    .filter((session) => parts.every(({ values }) => !Number.isNaN(values[session]!)));
  const series = parts.map(({ values }) => Float64Array.from(whole, (session) => values[session]!));
  return equalMeansOfSeries(series, horizon);
}
