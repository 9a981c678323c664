import { capital } from "../../base/wording/words.ts";
import { INFERENCE, type Inference, nonOverlapping, testMean } from "../inference/test_mean.ts";
import {
  type SessionSeries,
  testCells,
  type TestedMean,
  toObservations,
} from "../inference/tested_mean.ts";
import { ownWindows } from "./stability.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { type Trial, TRIAL_LOG, type TrialLog } from "../trial_log.ts";
import { countText, decimalText, numberText, percentText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { detectableText, meanText, ratioText } from "../../base/wording/sentences/test_text.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import { readSeries, SERIES_RULES, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { Schema } from "../../frames/frame/typed/columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { TableOf } from "../table/columns.ts";

/** A test with its name. */
type Check = readonly [name: string, test: TestedMean];

/** Columns of the table, in order. */
const CHECK_COLUMNS = "horizon group check n mean t df p low high reason";
const ONE_SESSION = "one-session form";

function startsOf(series: SessionSeries, against: number): readonly Check[] {
  const { t, middle } = nonOverlapping(toObservations(series), against);
  if (t.length < 2) return [["non-overlapping", middle]];
  const only = (t: number): TestedMean => {
    return { ...middle, mean: null, t, p: null, low: null, high: null };
  };
  return [
    ["non-overlapping, lowest t", only(t[0]!)],
    ["non-overlapping, middle t", middle],
    ["non-overlapping, highest t", only(t.at(-1)!)],
  ];
}

function halvesOf(series: SessionSeries, against: number): readonly Check[] {
  const middle = series.values.length >> 1;
  const names = ["first half", "second half"] as const;
  const of = Array.from(series.values, (_, i) => names[i < middle ? 0 : 1]!);
  const isOwn = ownWindows(series, of);
  return names.map((name) => {
    const isIn = (_: number, i: number) => of[i] === name && isOwn[i]!;
    const { horizon, values, places } = series;
    const own = { horizon, values: values.filter(isIn), places: places.filter(isIn) };
    return [name, testMean(own, EWC, against)];
  });
}

/** Options of {@link informationSummary}. */
export interface InformationSummaryOptions extends SeriesOptions {
  /**
   * Estimator of the standard errors.
   *
   * @default { method: "ewc" }
   */
  readonly inference?: Inference;
  /**
   * Null hypothesis about the mean.
   *
   * @default 0
   */
  readonly against?: number;
  /** The same series in the one-session form, by horizon, as a check. */
  readonly oneSession?: SeriesInput;
  /** Trial log in which every test is entered. */
  readonly trialLog?: TrialLog;
  /**
   * Name of the mean, for the text and the trial log.
   *
   * @default "mean IC" for a column `ic`, else "mean" and the name of the column
   */
  readonly what?: string;
  /**
   * Origin of the values, such as a factor with its release, by which the trial log distinguishes the tests of several
   * factors.
   *
   * @default not stated
   */
  readonly of?: string;
}

const RULES: rules.OptionRules<InformationSummaryOptions> = {
  ...SERIES_RULES,
  inference: INFERENCE,
  against: rules.FINITE,
  oneSession: rules.objectLike('informationCoefficient(aligned, { form: "oneSession" })'),
  trialLog: TRIAL_LOG,
  what: rules.TEXT,
  of: rules.TEXT,
};

const MUCH_WEIGHT = 0.05;
const EWC = { method: "ewc" } as const;

/** Columns of the table, in order. */
export const SUMMARY_COLUMNS = `horizon group sessions mean deviation ratio hit_rate ...test
  overlap windows effective_n detectable method reason`;

const IC_DECIMALS = 3;

/**
 * Tests whether the mean of a series by session is zero: of ICs, spreads, portfolio returns or slopes.
 *
 * `table` has one row per horizon (and `group`, if there is one): `horizon` (Int32, in sessions), `sessions` (Int32, values
 * that are not null), `mean`, `deviation` (n − 1), `ratio` (mean over deviation, not annualised), `hit_rate` (share above
 * 0), `standard_error`, `t`, `df` (Int32), `p` (two-sided), `low`, `high` (95%), `overlap` (Int32), `windows` (sessions
 * over overlap), `effective_n`, `detectable` (minimum detectable mean at a power of 80%), `method`,
 * `reason`. Where a sample has fewer than 20 values or 10 windows that do not overlap, the test is null, reason
 * `too_few_windows`.
 *
 * The default is the equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018) with fewer cosines than they
 * recommend, which rejects between 3.5 and 6.5% of true null hypotheses at 5% under overlapping windows, if returns are
 * unpredictable; premia that last make true error rates higher, and the more so the longer the sample. The other
 * methods are for comparison with papers; `deno task bench calibration` measures their error rates.
 *
 * @param ic Series by session: `session`, a value (`ic`, `spread`, `return`, `slope`), and `horizon` and `group` if there
 * are several
 * @param options The method, the null hypothesis, and the inputs of the checks
 * @returns The tested means (`table`), and the checks that support or weaken them (`tables.checks`)
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a session occurs twice in a series, or a number is out of range
 * @see Lazarus, Lewis, Stock and Watson (2018), HAR inference: recommendations for practice, Journal of Business & Economic
 *   Statistics 36
 *
 * @example Usage
 * ```ts
 * import { informationSummary } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const ic = pl.DataFrame({
 *   session: Array.from({ length: 30 }, (_, i) => `2026-01-${String(i + 1).padStart(2, "0")}`),
 *   ic: Array.from({ length: 30 }, (_, i) => 0.05 + 0.1 * Math.sin(i * i)),
 * });
 * const [row] = informationSummary(ic).table.toRecords();
 * console.assert(row?.sessions === 30 && row.df === 4);
 * ```
 */
export function informationSummary(
  ic: SeriesInput,
  options: InformationSummaryOptions = {},
): StatedResult<
  TableOf<typeof SUMMARY_COLUMNS>,
  { readonly checks: TableOf<typeof CHECK_COLUMNS> }
> {
  const action = "summarise a series";
  rules.checkOptions(action, options, RULES);
  const { inference = { method: "ewc" }, against = 0, ...rest } = options;
  const { oneSession, trialLog, what: given, of, ...columns } = rest;
  const all = readSeries(action, ic, columns);
  const what = given ?? (all[0]?.name === "ic" ? "mean IC" : `mean ${all[0]?.name ?? "value"}`);
  const others = oneSession === undefined ? [] : readSeries(action, oneSession, columns);
  const tested = all.map((series) => {
    const test = testMean(series, inference, against);
    enter(series, test, { trialLog, what, of, inference, against });
    const own = others.find(({ horizon, group }) =>
      horizon === series.horizon && group === series.group
    );
    // Its values span one session each, whatever horizon they stand for.
    const form = own && testMean({ ...own, horizon: 1 }, EWC, against);
    const further = form === undefined ? [] : [[ONE_SESSION, form] as const];
    const checks = [...further, ...startsOf(series, against), ...halvesOf(series, against)];
    return { series, test, checks };
  });
  const hasGroups = all.some(({ group }) => group !== null);
  const kept = <Columns extends Schema>(frame: TypedFrame<Columns>) =>
    hasGroups ? frame : framed<Columns>(frame.drop("group" as string));
  const checks = tested.flatMap(({ series: { horizon, group }, checks }) =>
    checks.map(([name, { n, mean, t, df, p, low, high, reason }]) => {
      return [horizon, group, name, n, mean, t, df, p, low, high, reason];
    })
  );
  return new StatedResult(
    tested.map((one) => describeRow(one, what)).join("\n"),
    kept(tableOfRows(tested.map(summaryRow), SUMMARY_COLUMNS)),
    { checks: kept(tableOfRows(checks, CHECK_COLUMNS)) },
  );
}

/** A series with its tests. */
interface TestedSeries {
  readonly series: SessionSeries;
  readonly test: TestedMean;
  readonly checks: readonly Check[];
}

function summaryRow({ series, test }: TestedSeries) {
  const above = series.values.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  const { n, mean, deviation, overlap, windows, effectiveN, detectable, method, reason } = test;
  const ratio = mean === null || deviation === null || deviation === 0 ? null : mean / deviation;
  const cells = [n, mean, deviation, ratio, n === 0 ? null : above / n, ...testCells(test)];
  const more = [overlap, windows, effectiveN, detectable, method, reason];
  return [series.horizon, series.group, ...cells, ...more];
}

/** A test as the trial log enters it. */
interface Entered {
  readonly trialLog: TrialLog | undefined;
  readonly what: string;
  readonly of: string | undefined;
  readonly inference: Inference;
  readonly against: number;
  /** Options that make the series another variant. */
  readonly options?: Trial["options"];
}

/** Tests the mean of each series for its entry in the trial log alone. */
export function logTests(
  series: readonly SessionSeries[],
  of: Omit<Entered, "inference" | "against">,
): void {
  for (const one of series) enter(one, testMean(one), { ...of, inference: EWC, against: 0 });
}

function enter(
  { horizon, group }: SessionSeries,
  { n, t, p }: TestedMean,
  { trialLog, what, of, inference, against, options = {} }: Entered,
): void {
  const whose = of === undefined ? {} : { of };
  const by = { ...whose, horizon, ...(group === null ? {} : { group }), ...inference, ...options };
  trialLog?.enter({ what, options: against === 0 ? by : { ...by, against }, n, t, p });
}

function describeRow({ series, test, checks }: TestedSeries, what: string): string {
  const { horizon, group, unit } = series;
  const text = describeMean(test, { what, horizon, unit, isIc: series.name === "ic" });
  const head = group === null ? "" : `${group}: `;
  const { missingWeight = 0 } = series;
  const missing = missingWeight > MUCH_WEIGHT
    ? ` On average, ${percentText(missingWeight)} of the weight has no return and is left out.`
    : "";
  const [, second] = checks.find(([name]) => name === ONE_SESSION) ?? [];
  if (horizon === 1 || second === undefined || second.t === null) {
    return `${head}${text}${missing}`;
  }
  const form = "Without overlapping returns (one-session form, Hodrick 1992), the test gives " +
    `${ratioText(second)} (${countText(second.n, "session")}).`;
  return `${head}${text} ${periodText(form, unit)}${missing}`;
}

/** Subject of a sentence about a test. */
interface TestSubject {
  /** Name of the mean, such as `mean IC`. */
  readonly what: string;
  /** Number of sessions of a window. */
  readonly horizon: number;
  /** True for ICs, which are written with their own number of decimals. */
  readonly isIc: boolean;
  /**
   * Name of one period of the series: session, month.
   *
   * @default "session"
   */
  readonly unit?: string;
}

/**
 * Describes the test of a mean in words: the mean with its interval and its observations, and the minimum detectable mean. Where
 * the sample is too short for a test, it states the required size.
 */
export function describeMean(
  test: TestedMean,
  { what, horizon, isIc, unit = "session" }: TestSubject,
): string {
  const { mean, detectable, note } = test;
  if (mean === null) return `There is no ${what} at ${countText(horizon, unit)}.`;
  const textOf = (value: number) => isIc ? decimalText(value, IC_DECIMALS) : numberText(value);
  const found = `${meanText({ ...test, what, horizon, unit, mean }, textOf)}.`;
  if (test.t === null || detectable === null) return found;
  const more = note === null ? "" : ` ${capital(periodText(note, unit))}.`;
  return `${found} ${detectableText(textOf(detectable), what)}.${more}`;
}
