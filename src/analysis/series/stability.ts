import type { DataFrame } from "nodejs-polars";
import { Matrix, solve } from "ml-matrix";
import { FRAME } from "../../frames/frame/assert_frame.ts";
import { checkOptions, either, oneOf, whole } from "../../base/arguments/check_options.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { andText } from "../../base/wording/words.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { countText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { equalMeansText } from "../../base/wording/sentences/test_text.ts";
import {
  isTooShort,
  type SessionSeries,
  testCells,
  type TestedMean,
  toObservations,
} from "../inference/tested_mean.ts";
import { cosineSums, ewcDegrees, testMean } from "../inference/test_mean.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import { readDayColumn, readTexts } from "../table/read_columns.ts";
import {
  onCommonSessions,
  readSeries,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "./read_series.ts";
import type { Reason } from "../reason.ts";
import { fTail } from "../inference/distributions.ts";
import { demean, meanOf } from "../../base/statistics/moments.ts";
import type { TableOf } from "../table/columns.ts";
import { FREQUENCIES, seenFrequency } from "../../frames/prices/dates/frequency.ts";
import { usualWindow } from "../dense/days.ts";

/** Columns of the table, in order. */
const JOINT_COLUMNS = "horizon parts f df1 df2 p reason";

/** Columns of the table, in order. */
const PART_COLUMNS = "horizon part sessions mean ...test reason";

function toResult(comparisons: readonly Comparison[]): ReturnType<typeof stability> {
  const rows = comparisons.flatMap(({ horizon, parts }) =>
    parts.map(({ part, tested }) => {
      return [horizon, part, tested.n, tested.mean, ...testCells(tested), tested.reason];
    })
  );
  const joint = comparisons.map(({ horizon, parts, joint: { f, df1, df2, p, reason } }) => {
    return [horizon, parts.length, f, df1, df2, p, reason];
  });
  return new StatedResult(
    comparisons.map(describeComparison).join("\n"),
    tableOfRows(rows, PART_COLUMNS),
    { joint: tableOfRows(joint, JOINT_COLUMNS) },
  );
}

/**
 * Tests whether the mean of a series is the same in all parts of a sample: in calendar years, halves, groups, or your
 * own periods.
 *
 * Periods do not share sessions, nor windows: values whose window of several sessions reaches into another part are left out.
 * Their means are compared by Welch's test (1951) with the errors and degrees of freedom
 * of the default test. Groups share sessions and are correlated: they are compared over their common sessions by the
 * Wald statistic of their differences, under equal-weighted cosines. A part that is too short for a test makes the
 * joint test null, reason `too_few_windows`.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options Parts that are compared
 * @returns The means by part (`table`), and the test that they are equal (`joint`)
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If `by` has another value
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
 * const { table, tables } = stability(ic);
 * console.assert(table.getColumn("part").toArray().join() === "2025,2026");
 * console.assert(Number(tables.joint.toRecords()[0]?.p) < 0.001);
 * ```
 */
export function stability(
  ic: SeriesInput,
  options: SeriesOptions & {
    /** Parts: calendar years, halves, the groups of the frame, or a frame with `session` and `period`. @default "year" */
    readonly by?: "year" | "half" | "group" | DataFrame;
  } = {},
): StatedResult<
  TableOf<typeof PART_COLUMNS>,
  { readonly joint: TableOf<typeof JOINT_COLUMNS> }
> {
  const action = "compare parts of a sample";
  checkOptions(action, options, {
    ...SERIES_RULES,
    by: either(oneOf("year", "half", "group"), FRAME),
  });
  const { by = "year", ...columns } = options;
  const series = readSeries(action, ic, columns);
  if (by === "group") return toResult(compareGroups(series));
  const periodOf = readPeriods(action, by);
  return toResult(series.map((one) => comparePeriods(one, periodOf)));
}

type PeriodOf = (series: SessionSeries, i: number) => string | null;

function readPeriods(action: string, by: "year" | "half" | DataFrame): PeriodOf {
  if (by === "year") return ({ days }, i) => fromEpochDay(days[i]!).slice(0, 4);
  if (by === "half") return ({ days }, i) => i < days.length >> 1 ? "first half" : "second half";
  const days = readDayColumn(action, by, "session");
  const { names, codes } = readTexts(action, by, "period");
  const periods = new Map(Array.from(days, (day, row) => [day, names[codes[row]!] ?? null]));
  return (series, i) => periods.get(series.days[i]!) ?? null;
}

type Comparison = ReturnType<typeof comparePeriods>;

function comparePeriods(series: SessionSeries, periodOf: PeriodOf) {
  const of = Array.from(series.days, (_, i) => periodOf(series, i));
  const names = [...new Set(of)].filter((name) => name !== null).toSorted();
  const isOwn = ownWindows(series, of);
  const { horizon, unit } = series;
  const parts = names.map((part) => {
    const isIn = (_: number, i: number) => of[i] === part && isOwn[i]!;
    const own = { values: series.values.filter(isIn), places: series.places.filter(isIn) };
    return { part, tested: testMean({ ...own, horizon }) };
  });
  const joint = parts.length < 2
    ? withoutJointTest(0, "too_few_windows")
    : equalMeansOfPeriods(parts.map(({ tested }) => tested));
  const leftOut = of.filter((period) => period === null).length;
  const purged = isOwn.filter((own) => !own).length;
  return { horizon, unit, parts, joint, leftOut, purged };
}

/** For each value whether its window ends before the next session of another part: else both parts would know its end. */
export function ownWindows(
  { places, horizon }: Pick<SessionSeries, "places" | "horizon">,
  partOf: readonly (string | null)[],
): readonly boolean[] {
  const isOwn = partOf.map(() => true);
  let [later, next, other] = [null as string | null, Infinity, Infinity];
  for (let i = partOf.length - 1; i >= 0; i--) {
    if (partOf[i] === null) continue;
    if (later !== null && later !== partOf[i]) other = next;
    isOwn[i] = places[i]! + horizon <= other;
    [later, next] = [partOf[i]!, places[i]!];
  }
  return isOwn;
}

function compareGroups(series: readonly SessionSeries[]): readonly Comparison[] {
  return [...Map.groupBy(series, ({ horizon }) => horizon)].map(([horizon, groups]) => {
    const parts = groups.map((one) => ({ part: one.group ?? "all", tested: testMean(one) }));
    const common = onCommonSessions(groups);
    const joint = groups.length < 2 ? withoutJointTest(0, "too_few_windows") : equalMeansOfSeries(
      common.map(({ values }) => values),
      toObservations(common[0]!).overlap,
    );
    return { horizon, unit: groups[0]!.unit, parts, joint, leftOut: 0, purged: 0 };
  });
}

function describeComparison({ horizon, unit, parts, joint, leftOut, purged }: Comparison): string {
  const counts = andText(parts.map(({ tested }) => groupThousands(tested.n)));
  const across = parts.length === 0 ? "no part" : `${countText(parts.length, "part")} (${counts} ` +
    `${parts.at(-1)!.tested.n === 1 ? "session" : "sessions"})`;
  const found = joint.p === null
    ? `there is no test of equal means across ${across}: it requires two parts that are long enough`
    : `the ${equalMeansText(across, joint.p)}`;
  const left = (count: number, why: string) =>
    count === 0
      ? ""
      : ` ${countText(count, "session")} ${why} ${count === 1 ? "is" : "are"} left out.`;
  const more = left(leftOut, "without a period") +
    left(purged, "with windows that reach into another part");
  return periodText(`At ${countText(horizon, "session")}, ${found}.${more}`, unit);
}

/** A test of several restrictions at once: the F statistic, its degrees of freedom and p value, or why there is none. */
type JointResult = Readonly<
  Record<"f" | "df2" | "p", number | null> & { df1: number; reason: Reason | null }
>;

/** The result of restrictions that cannot be tested. */
function withoutJointTest(df1: number, reason: Reason): JointResult {
  return { f: null, df1, df2: null, p: null, reason };
}

/**
 * Tests that the means of disjoint periods are equal: Welch's test (1951) on their means, standard errors and degrees of
 * freedom.
 */
export function equalMeansOfPeriods(tests: readonly TestedMean[]): JointResult {
  const k = tests.length;
  if (k < 2) throw new RangeError("Cannot compare means: expected at least two periods, got fewer");
  const parts = tests.flatMap(({ mean, standardError, df }) =>
    mean === null || standardError === null || df === null
      ? []
      : [{ mean, weight: 1 / standardError ** 2, df }]
  );
  if (parts.length < k) return withoutJointTest(k - 1, "too_few_windows");
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const centre = parts.reduce((sum, { mean, weight }) => sum + weight * mean, 0) / total;
  const between = parts.reduce((sum, { mean, weight }) => sum + weight * (mean - centre) ** 2, 0);
  const loss = parts.reduce((sum, { weight, df }) => sum + (1 - weight / total) ** 2 / df, 0);
  const f = between / (k - 1) / (1 + 2 * (k - 2) / (k ** 2 - 1) * loss);
  const df2 = (k ** 2 - 1) / (3 * loss);
  return { f, df1: k - 1, df2, p: fTail(f, k - 1, df2), reason: null };
}

/**
 * Tests that several series over the same sessions have equal means, such as the coefficients of universes or groups: a
 * Wald statistic of their differences with the equal-weighted cosine covariance, scaled to an exact F
 * (Lazarus, Lewis, Stock and Watson, 2018).
 *
 * @param series The values of each series; all equally long, without NaN
 * @param overlap Maximum number of windows that cover one session
 */
export function equalMeansOfSeries(series: readonly Float64Array[], overlap: number): JointResult {
  const last = series.at(-1);
  const m = series.length - 1;
  if (last === undefined || m < 1) {
    throw new RangeError("Cannot compare means: expected at least two series, got fewer");
  }
  const n = last.length;
  const degrees = ewcDegrees(n, overlap);
  const df2 = degrees - m + 1;
  if (isTooShort({ values: last, overlap }) || df2 < 1) {
    return withoutJointTest(m, "too_few_windows");
  }
  const differences = series.slice(0, m).map((values) =>
    values.map((value, t) => value - last[t]!)
  );
  const means = Matrix.columnVector(differences.map(meanOf));
  const sums = new Matrix(differences.map((values) => [...cosineSums(demean(values), degrees)]));
  const covariance = sums.mmul(sums.transpose()).div(degrees * n);
  let wald = NaN;
  try {
    wald = means.transpose().mmul(solve(covariance, means)).get(0, 0);
  } catch {
    // The differences depend on each other.
  }
  if (!Number.isFinite(wald) || wald < 0) return withoutJointTest(m, "rank_deficient");
  const f = wald * df2 / (degrees * m);
  return { f, df1: m, df2, p: fTail(f, m, df2), reason: null };
}

/** Columns of the table, in order. */
export const ROLLING_COLUMNS = "session horizon group n mean low high";

/**
 * The mean of the last sessions, session by session, with its interval.
 *
 * One row per series and session, oldest first: `session` (Date, the last one of the window), `horizon`, `group` (null if
 * there are none), `n` (values in the window), `mean`, `low`, `high` (95%, of this window alone; null where it is too short
 * for a test, as for horizons above a tenth of the window). The mean is null before the first whole window, and where less
 * than half of a window has values. Cost: one test per session.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options The length of the window
 * @returns A frame of one row per series and session: the mean of its window, with the interval
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If the window is not a whole number of at least 2
 *
 * @example Usage
 * ```ts
 * import { rollingMean } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const ic = pl.DataFrame({ session: ["2026-01-05", "2026-01-06", "2026-01-07"], ic: [0.1, 0.3, null] });
 * const means = rollingMean(ic, { window: 2 }).getColumn("mean").toArray();
 * console.assert(means[0] === null && Math.abs(Number(means[1]) - 0.2) < 1e-12);
 * ```
 */
export function rollingMean(
  ic: SeriesInput,
  options: SeriesOptions & {
    /** Number of sessions of a mean. @default 63 */
    readonly window?: number;
  } = {},
): TableOf<typeof ROLLING_COLUMNS> {
  const action = "average the last sessions";
  checkOptions(action, options, { ...SERIES_RULES, window: whole(2) });
  const { window, ...columns } = options;
  const rows = readSeries(action, ic, columns).flatMap((series) => {
    // Values of a year: by the unit of the series, or else by the spacing of its days.
    const found = Object.values(FREQUENCIES).find((one) => one.unit === series.unit) ??
      FREQUENCIES[seenFrequency(series.days) ?? "daily"];
    return averages(series, window ?? usualWindow(found.perYear));
  });
  return tableOfRows(rows, ROLLING_COLUMNS);
}

function averages(series: SessionSeries, window: number) {
  const { days, places, values, horizon, group } = series;
  let first = 0;
  return Array.from(days, (day, i) => {
    while (places[first]! <= places[i]! - window) first++;
    const [own, at] = [values.subarray(first, i + 1), places.subarray(first, i + 1)];
    const { n, mean, low, high } = testMean({ values: own, places: at, horizon });
    const isWhole = places[i]! - places[0]! + 1 >= window && 2 * n >= window;
    return [day, horizon, group, n, ...isWhole ? [mean, low, high] : [null, null, null]];
  });
}
