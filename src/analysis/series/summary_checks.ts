import { nonOverlapping } from "../inference/method/non_overlapping.ts";
import { toObservations } from "../inference/observations.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import type { RowColumn } from "../table/frame_of_rows.ts";
import type { NoiseControl } from "./noise_control.ts";
import type { SessionSeries } from "./session_series.ts";

/** One more look at a series, beside its test. */
export interface CheckRow {
  readonly horizon: number;
  readonly group: string | null;
  readonly check: string;
  readonly tested: TestedMean;
  /** What the row says in words, where numbers do not. */
  readonly detail: string | null;
}

/** The columns of the checks. */
export const CHECK_COLUMNS: readonly RowColumn<CheckRow>[] = [
  { name: "horizon", type: "count", read: (row) => row.horizon },
  { name: "group", type: "text", read: (row) => row.group },
  { name: "check", type: "text", read: (row) => row.check },
  { name: "n", type: "count", read: (row) => row.tested.n },
  { name: "mean", type: "number", read: (row) => row.tested.mean },
  { name: "t", type: "number", read: (row) => row.tested.t },
  { name: "df", type: "count", read: (row) => row.tested.df },
  { name: "p", type: "number", read: (row) => row.tested.p },
  { name: "low", type: "number", read: (row) => row.tested.low },
  { name: "high", type: "number", read: (row) => row.tested.high },
  { name: "detail", type: "text", read: (row) => row.detail },
  { name: "reason", type: "text", read: (row) => row.tested.reason },
];

/** What the checks of a series need beside it. */
export interface CheckPlan {
  readonly against: number;
  /** The same by the one-session form; `null` if it was not given. */
  readonly oneSession: SessionSeries | null;
  readonly noise: NoiseControl | null;
}

/** The second opinions on a series: other form, other sampling, halves, noise. */
export function checkSeries(series: SessionSeries, plan: CheckPlan): readonly CheckRow[] {
  const { horizon, group } = series;
  const row = (check: string, tested: TestedMean, detail: string | null = null) => ({
    horizon,
    group,
    check,
    tested,
    detail,
  });
  return [
    ...oneSessionForm(plan).map((tested) => row("one-session form", tested)),
    ...startsOf(series, plan.against).map(([name, tested]) => row(name, tested)),
    ...halvesOf(series, plan.against).map(([name, tested]) => row(name, tested)),
    ...noiseOf(series, plan.noise).map(([tested, detail]) => row("noise control", tested, detail)),
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
  const half = (from: number, to: number) =>
    testMean(
      {
        horizon: series.horizon,
        values: series.values.slice(from, to),
        places: series.places.slice(from, to),
      },
      { method: "ewc" },
      against,
    );
  return [["first half", half(0, middle)], ["second half", half(middle, Infinity)]];
}

function noiseOf(
  series: SessionSeries,
  noise: NoiseControl | null,
): readonly (readonly [TestedMean, string])[] {
  const means = noise?.means.get(series.horizon);
  if (means === undefined) return [];
  const shifted = means.filter((mean) => !Number.isNaN(mean));
  const tested = testMean(series);
  if (tested.mean === null || shifted.length === 0) return [];
  const larger = shifted.filter((mean) => mean >= tested.mean!).length;
  const further = shifted.filter((mean) => Math.abs(mean) >= Math.abs(tested.mean!)).length;
  const nothing = { t: null, df: null, p: null };
  const [low, high] = [Math.min(...shifted), Math.max(...shifted)];
  const detail =
    `of ${shifted.length} shifted copies, ${larger} with a mean at least as large and ` +
    `${further} with one at least as far from zero`;
  return [[{ ...tested, ...nothing, low, high, n: shifted.length }, detail]];
}
