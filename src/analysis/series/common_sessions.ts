import type { SessionSeries } from "../inference/session_series.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";

/** Several series over the sessions in which all of them have a value. */
export function onCommonSessions(series: readonly SessionSeries[]): readonly SessionSeries[] {
  if (
    series.every((one) => areEqual(one.days, series[0]!.days) && !one.values.some(Number.isNaN))
  ) {
    return series;
  }
  const counts = new Map<number, number>();
  for (const { days, values } of series) {
    for (const [i, day] of days.entries()) {
      if (!Number.isNaN(values[i]!)) counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }
  return series.map((one) => {
    const isKept = (_: number, i: number) =>
      counts.get(one.days[i]!) === series.length && !Number.isNaN(one.values[i]!);
    return {
      ...one,
      days: one.days.filter(isKept),
      places: one.places.filter(isKept),
      values: one.values.filter(isKept),
      counts: one.counts.filter(isKept),
    };
  });
}

/** Tests the mean of the differences of two series, session by session: what both have in common drops out. */
export function testDifference(one: SessionSeries, other: SessionSeries): TestedMean {
  const [own, theirs] = onCommonSessions([one, other]) as [SessionSeries, SessionSeries];
  return testMean({ ...own, values: own.values.map((value, i) => value - theirs.values[i]!) });
}

function areEqual(a: Int32Array, b: Int32Array): boolean {
  return a === b || (a.length === b.length && a.every((day, i) => day === b[i]));
}
