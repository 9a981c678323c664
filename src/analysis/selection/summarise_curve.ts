import { LEVEL, medianOf } from "../../base/statistics/moments.ts";
import type { SessionSeries } from "../inference/session_series.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { type RowReaders, tableOfRows } from "../table/frame_of_rows.ts";
import { type JointTest, testJointly } from "./joint_test.ts";
import { familyDegrees, LEAST_COSINES } from "./make_family.ts";

/** Range of the estimates of all specifications, and their joint test. */
export interface CurveSummary {
  readonly specifications: number;
  readonly smallest: number | null;
  readonly median: number | null;
  readonly largest: number | null;
  /** Share of the means above 0. */
  readonly above: number | null;
  /** Share of the specifications with p below 0.05. */
  readonly significant: number | null;
  readonly joint: JointTest | null;
}

/** Columns of the summary, in order. */
export const SUMMARY = {
  specifications: "count",
  smallest: "number",
  median: "number",
  largest: "number",
  above: "number",
  significant: "number",
  p_median: "number",
  p_significant: "number",
  p_mean: "number",
  reason: "text",
} as const;
const SUMMARY_READERS: RowReaders<CurveSummary, typeof SUMMARY> = {
  p_median: (row) => row.joint?.median ?? null,
  p_significant: (row) => row.joint?.significant ?? null,
  p_mean: (row) => row.joint?.mean ?? null,
  reason: (row) => row.joint === null ? "too_few_windows" : null,
};

/** The summary as a frame of one row. */
export function summaryFrame(said: CurveSummary): TableFrame<typeof SUMMARY> {
  return tableOfRows([said], SUMMARY, SUMMARY_READERS);
}

/** A series with the test of its mean. */
export interface TestedSeries {
  /** The values, without nulls. */
  readonly series: SessionSeries;
  readonly tested: TestedMean;
}

/** The range of the means of all specifications, and the joint test of those that have one. */
export function summariseCurve(
  estimates: readonly TestedSeries[],
  of: { readonly draws: number; readonly seed: number },
): CurveSummary {
  const testable = estimates.flatMap(({ series, tested: { n, overlap, reason } }) =>
    reason === null && familyDegrees(n, overlap) >= LEAST_COSINES ? [{ series, overlap }] : []
  );
  const joint = testable.length === 0 ? null : testJointly(testable, of);
  const means = estimates.flatMap(({ tested: { mean } }) => mean === null ? [] : [mean])
    .toSorted((a, b) => a - b);
  const tested = estimates.flatMap(({ tested: { p } }) => p === null ? [] : [p]);
  const shareOf = (values: readonly number[], accepts: (value: number) => boolean) =>
    values.length === 0 ? null : values.filter(accepts).length / values.length;
  return {
    specifications: estimates.length,
    smallest: means[0] ?? null,
    median: means.length === 0 ? null : medianOf(means),
    largest: means.at(-1) ?? null,
    above: shareOf(means, (mean) => mean > 0),
    significant: shareOf(tested, (p) => p < LEVEL),
    joint,
  };
}
