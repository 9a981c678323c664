import { nonOverlapping } from "../inference/method/non_overlapping.ts";
import { toObservations } from "../inference/observations.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";

import { ownWindows } from "./stability.ts";
import type { SessionSeries } from "../inference/session_series.ts";

/** A further check of a series, beside its test. */
export interface CheckRow extends TestedMean {
  readonly horizon: number;
  readonly group: string | null;
  readonly check: string;
}

/** Columns of the table, in order. */
export const CHECK_COLUMNS = {
  horizon: "count",
  group: "text",
  check: "text",
  n: "count",
  mean: "number",
  t: "number",
  df: "count",
  p: "number",
  low: "number",
  high: "number",
  reason: "text",
} as const;

/** Inputs of the checks of a series beside it. */
export interface CheckPlan {
  readonly against: number;
  /** The same by the one-session form; `null` if it was not given. */
  readonly oneSession: SessionSeries | null;
}

/** Other tests of the same series: one-session form, non-overlapping windows, halves. */
export function checkSeries(series: SessionSeries, plan: CheckPlan): readonly CheckRow[] {
  const { horizon, group } = series;
  const row = (check: string, tested: TestedMean) => ({ horizon, group, check, ...tested });
  return [
    ...oneSessionForm(plan).map((tested) => row("one-session form", tested)),
    ...startsOf(series, plan.against).map(([name, tested]) => row(name, tested)),
    ...halvesOf(series, plan.against).map(([name, tested]) => row(name, tested)),
  ];
}

// Its values span one session each, whatever horizon they stand for.
function oneSessionForm({ oneSession, against }: CheckPlan): readonly TestedMean[] {
  if (oneSession === null) return [];
  return [testMean({ ...oneSession, horizon: 1 }, { method: "ewc" }, against)];
}

function startsOf(
  series: SessionSeries,
  against: number,
): readonly (readonly [string, TestedMean])[] {
  const { t, middle } = nonOverlapping(toObservations(series), against);
  if (t.length < 2) return [["non-overlapping", middle]];
  const only = (value: number): TestedMean => ({
    ...middle,
    mean: null,
    t: value,
    p: null,
    low: null,
    high: null,
  });
  return [
    ["non-overlapping, lowest t", only(t[0]!)],
    ["non-overlapping, middle t", middle],
    ["non-overlapping, highest t", only(t.at(-1)!)],
  ];
}

function halvesOf(
  series: SessionSeries,
  against: number,
): readonly (readonly [string, TestedMean])[] {
  const middle = series.values.length >> 1;
  const names = ["first half", "second half"] as const;
  const of = Array.from(series.values, (_, i) => names[i < middle ? 0 : 1]!);
  const isOwn = ownWindows(series, of);
  return names.map((name) => {
    const isIn = (_: number, i: number) => of[i] === name && isOwn[i]!;
    const { horizon, values, places } = series;
    const own = { horizon, values: values.filter(isIn), places: places.filter(isIn) };
    return [name, testMean(own, { method: "ewc" }, against)];
  });
}
