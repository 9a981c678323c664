import { meanOf } from "../../base/statistics/moments.ts";
import { nonOverlapping } from "../inference/method/non_overlapping.ts";
import { countText, decimalText, percentText } from "../../base/wording/number_text.ts";
import { toObservations } from "../inference/observations.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";

import { isWithheld, type PlaceboShifts } from "./placebo_shifts.ts";
import { ownWindows } from "./stability.ts";
import type { SessionSeries } from "../inference/session_series.ts";

/** A further check of a series, beside its test. */
export interface CheckRow extends TestedMean {
  readonly horizon: number;
  readonly group: string | null;
  readonly check: string;
  /** The row in words, where it has no numbers. */
  readonly detail: string | null;
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
  detail: "text",
  reason: "text",
} as const;

/** Inputs of the checks of a series beside it. */
export interface CheckPlan {
  readonly against: number;
  /** The same by the one-session form; `null` if it was not given. */
  readonly oneSession: SessionSeries | null;
  readonly placebo: PlaceboShifts | null;
}

/** Other tests of the same series: one-session form, non-overlapping windows, halves, placebo. */
export function checkSeries(series: SessionSeries, plan: CheckPlan): readonly CheckRow[] {
  const { horizon, group } = series;
  const row = (check: string, tested: TestedMean, detail: string | null = null) => ({
    horizon,
    group,
    check,
    ...tested,
    detail,
  });
  return [
    ...oneSessionForm(plan).map((tested) => row("one-session form", tested)),
    ...startsOf(series, plan.against).map(([name, tested]) => row(name, tested)),
    ...halvesOf(series, plan.against).map(([name, tested]) => row(name, tested)),
    ...placeboOf(series, plan.placebo).map(([tested, detail]) =>
      row("placebo shifts", tested, detail)
    ),
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

function placeboOf(
  series: SessionSeries,
  placebo: PlaceboShifts | null,
): readonly (readonly [TestedMean, string])[] {
  if (placebo === null) return [];
  const tested = testMean(series);
  const nothing = { t: null, df: null, p: null, low: null, high: null };
  const persistence = persistenceText(placebo);
  if (isWithheld(placebo.persistence)) {
    const reason = "persistent_scores" as const;
    return [[{ ...tested, ...nothing, n: 0, reason }, `withheld, because ${persistence}`]];
  }
  const shifted = placebo.means.get(series.horizon)?.filter((mean) => !Number.isNaN(mean));
  if (tested.mean === null || shifted === undefined || shifted.length === 0) return [];
  const further = shifted.filter((mean) => Math.abs(mean) >= Math.abs(tested.mean!)).length;
  const [low, high] = [Math.min(...shifted), Math.max(...shifted)];
  const detail =
    `${further} of ${shifted.length} shifted copies of the scores have a mean at least as far from zero` +
    standingText(shifted, tested.mean) +
    (persistence === "" ? "" : `; ${persistence}`);
  return [[{ ...tested, ...nothing, low, high, n: shifted.length }, detail]];
}

// Copies that all lie on the side of the mean: a part of it that does not depend on dates.
function standingText(shifted: Float64Array, mean: number): string {
  const side = Math.sign(mean);
  if (side === 0 || shifted.length < 2 || shifted.some((one) => Math.sign(one) !== side)) return "";
  const common = meanOf(shifted);
  return `; all lie on its side of zero, ${decimalText(common, 3)} on average: ${
    percentText(common / mean, 0)
  } of the mean does not depend on dates, which indicates a permanent tilt`;
}

// Similarity of a shifted copy and the scores themselves.
function persistenceText({ persistence }: PlaceboShifts): string {
  const { shift = 0, rankAutocorrelation = null } = persistence ?? {};
  if (rankAutocorrelation === null) return "";
  return "the rank autocorrelation of the scores at the smallest shift " +
    `(${countText(shift, "session")}) is ` +
    decimalText(rankAutocorrelation, 2);
}
