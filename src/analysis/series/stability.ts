import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { describe } from "../../contract/violation.ts";
import { equalMeansOfPeriods } from "../inference/equal_means_of_periods.ts";
import { equalMeansOfSeries } from "../inference/equal_means_of_series.ts";
import { type JointResult, withoutJointTest } from "../inference/joint_result.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import { countText } from "../inference/number_text.ts";
import { toObservations } from "../inference/observations.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { Parts } from "../table/parts.ts";
import { readDays, readTexts } from "../table/read_columns.ts";
import { onCommonSessions } from "./common_sessions.ts";
import { readSeries, SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";

/** Options of {@link stability}. */
export interface StabilityOptions extends SeriesOptions {
  /**
   * What is compared: calendar years, the halves of the sample, the groups of the frame, or periods of one's own as a
   * frame with `session` and `period` (text), such as sessions of high and of low volatility. Sessions without a
   * period are left out.
   *
   * @default "year"
   */
  readonly by?: "year" | "half" | "group" | DataFrame;
}

/** Whether a mean is the same in all parts of a sample. */
export class Stability extends Parts {
  /** The joint tests in sentences. */
  readonly text: string;
  /** One row a horizon and part: `horizon`, `part`, `sessions`, `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`, `reason`. */
  readonly table: DataFrame;
  /** One row a horizon: `horizon`, `parts`, `f`, `df1`, `df2`, `p` (that all means are equal), `reason`. */
  readonly joint: DataFrame;

  /**
   * Puts the comparisons of several horizons together.
   *
   * @param comparisons What was found for each horizon
   */
  constructor(comparisons: readonly Comparison[]) {
    super();
    this.text = comparisons.map(describeComparison).join("\n");
    const rows = comparisons.flatMap(({ horizon, parts }) =>
      parts.map((part) => ({ horizon, ...part }))
    );
    this.table = frameOfRows(rows, [
      { name: "horizon", type: "count", read: (row) => row.horizon },
      { name: "part", type: "text", read: (row) => row.part },
      { name: "sessions", type: "count", read: (row) => row.tested.n },
      { name: "mean", type: "number", read: (row) => row.tested.mean },
      { name: "standard_error", type: "number", read: (row) => row.tested.standardError },
      { name: "t", type: "number", read: (row) => row.tested.t },
      { name: "df", type: "count", read: (row) => row.tested.df },
      { name: "p", type: "number", read: (row) => row.tested.p },
      { name: "low", type: "number", read: (row) => row.tested.low },
      { name: "high", type: "number", read: (row) => row.tested.high },
      { name: "reason", type: "text", read: (row) => row.tested.reason },
    ]);
    this.joint = frameOfRows(comparisons, [
      { name: "horizon", type: "count", read: (row) => row.horizon },
      { name: "parts", type: "count", read: (row) => row.parts.length },
      { name: "f", type: "number", read: (row) => row.joint.f },
      { name: "df1", type: "count", read: (row) => row.joint.df1 },
      { name: "df2", type: "number", read: (row) => row.joint.df2 },
      { name: "p", type: "number", read: (row) => row.joint.p },
      { name: "reason", type: "text", read: (row) => row.joint.reason },
    ]);
  }

  /** The frames to show. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return { joint: this.joint, table: this.table };
  }
}

/** The parts of one horizon, and the test that their means are equal. */
export interface Comparison {
  /** The horizon. */
  readonly horizon: number;
  /** Each part with the test of its mean. */
  readonly parts: readonly { readonly part: string; readonly tested: TestedMean }[];
  /** The test that all means are equal. */
  readonly joint: JointResult;
  /** How many sessions are in no part. */
  readonly leftOut: number;
}

/**
 * Tests whether the mean of a series is the same in all parts of a sample: in calendar years, halves, groups, or periods of
 * one's own.
 *
 * Periods do not share sessions: their means are compared by Welch's test (1951) with the errors and degrees of freedom of
 * the default test. Groups share theirs and move together: they are compared over the sessions that all have, by the Wald
 * statistic of their differences under equal-weighted cosines. A part that is too short for a test makes the joint test
 * null, reason `too_few_windows`.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options What is compared
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If `by` is something else
 *
 * @example Usage
 * ```ts
 * import { stability } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const day = (i: number) => new Date(Date.UTC(2025, 10, 1 + i)).toISOString().slice(0, 10);
 * const ic = pl.DataFrame({
 *   session: Array.from({ length: 120 }, (_, i) => day(i)),
 *   ic: Array.from({ length: 120 }, (_, i) => (i < 61 ? 0 : 0.5) + Math.sin(i * i) / 10),
 * });
 * const { joint, table } = stability(ic);
 * console.assert(table.getColumn("part").toArray().join() === "2025,2026");
 * console.assert(Number(joint.toRecords()[0]?.p) < 0.001);
 * ```
 */
export function stability(ic: SeriesInput, options: StabilityOptions = {}): Stability {
  const action = "compare parts of a sample";
  assertKnownOptions(action, options, [...SERIES_OPTIONS, "by"]);
  const { by = "year", ...columns } = options;
  const series = readSeries(action, ic, columns);
  if (by === "group") return new Stability(compareGroups(series));
  const periodOf = readPeriods(action, by);
  return new Stability(series.map((one) => comparePeriods(one, periodOf)));
}

type PeriodOf = (series: SessionSeries, i: number) => string | null;

function readPeriods(action: string, by: "year" | "half" | DataFrame): PeriodOf {
  if (by === "year") return ({ days }, i) => fromEpochDay(days[i]!).slice(0, 4);
  if (by === "half") return ({ days }, i) => i < days.length >> 1 ? "first half" : "second half";
  if (typeof by !== "object" || by === null) {
    throw new RangeError(
      `Cannot ${action}: "year", "half", "group" or a frame with session and period is required, ` +
        `got ${describe(by)}`,
    );
  }
  const days = readDays(action, by, "session");
  const { names, codes } = readTexts(action, by, "period");
  const periods = new Map(Array.from(days, (day, row) => [day, names[codes[row]!] ?? null]));
  return (series, i) => periods.get(series.days[i]!) ?? null;
}

function comparePeriods(series: SessionSeries, periodOf: PeriodOf): Comparison {
  const of = Array.from(series.days, (_, i) => periodOf(series, i));
  const names = [...new Set(of)].filter((name) => name !== null).toSorted();
  const parts = names.map((part) => {
    const isIn = (_: number, i: number) => of[i] === part;
    const own = { values: series.values.filter(isIn), places: series.places.filter(isIn) };
    return { part, tested: testMean({ ...own, horizon: series.horizon }) };
  });
  const tests = parts.map(({ tested }) => tested);
  const joint = tests.length < 2
    ? withoutJointTest(0, "too_few_windows")
    : equalMeansOfPeriods(tests);
  const { horizon } = series;
  const leftOut = of.filter((period) => period === null).length;
  return { horizon, parts, joint, leftOut };
}

function compareGroups(series: readonly SessionSeries[]): readonly Comparison[] {
  const horizons = [...new Set(series.map(({ horizon }) => horizon))];
  return horizons.map((horizon) => {
    const groups = series.filter((one) => one.horizon === horizon);
    const parts = groups.map((one) => ({ part: one.group ?? "all", tested: testMean(one) }));
    const common = onCommonSessions(groups);
    const joint = groups.length < 2 ? withoutJointTest(0, "too_few_windows") : equalMeansOfSeries(
      common.map(({ values }) => values),
      toObservations(common[0]!).overlap,
    );
    return { horizon, parts, joint, leftOut: 0 };
  });
}

function describeComparison({ horizon, parts, joint, leftOut }: Comparison): string {
  const head = `${countText(horizon, "session")}: ${countText(parts.length, "part")} with ` +
    `${parts.map(({ tested }) => tested.n).join(", ") || "no"} sessions. ` +
    (leftOut === 0 ? "" : `${countText(leftOut, "session")} without a period: left out. `);
  return joint.p === null
    ? `${head}No joint test: a part is too short, or there is only one.`
    : `${head}That all means are equal: ${pPhrase(joint.p)}.`;
}
