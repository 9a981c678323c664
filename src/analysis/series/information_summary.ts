import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { describeMean, describeRatio } from "../inference/describe_mean.ts";
import { assertInference, type Inference, testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { countText } from "../inference/number_text.ts";
import { frameOfRows, type RowColumn } from "../table/frame_of_rows.ts";
import { Parts } from "../table/parts.ts";
import type { NoiseControl } from "./noise_control.ts";
import { readSeries, SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";
import { CHECK_COLUMNS, type CheckRow, checkSeries } from "./summary_checks.ts";

/** Options of {@link informationSummary}. */
export interface InformationSummaryOptions extends SeriesOptions {
  /**
   * How the errors are estimated.
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
  /** The same series in the one-session form, by horizon, as a second opinion. */
  readonly oneSession?: SeriesInput;
  /** The means of shifted scores. */
  readonly noise?: NoiseControl;
  /** Where every test is entered. */
  readonly ledger?: Ledger;
  /**
   * What the mean is of, for the text and the ledger.
   *
   * @default "mean IC" for a column `ic`, else "mean" and the name of the column
   */
  readonly what?: string;
  /**
   * Whose values they are, such as a factor with its release: the ledger tells the tests of several factors apart by it.
   *
   * @default not said
   */
  readonly of?: string;
}

const MUCH_WEIGHT = 0.05;

/** One series with its test. */
export interface SummaryRow {
  /** The values. */
  readonly series: SessionSeries;
  /** The test of their mean. */
  readonly tested: TestedMean;
  /** Share of the values above 0. */
  readonly hitRate: number | null;
}

const COLUMNS: readonly RowColumn<SummaryRow>[] = [
  { name: "horizon", type: "count", read: ({ series }) => series.horizon },
  { name: "group", type: "text", read: ({ series }) => series.group },
  { name: "sessions", type: "count", read: ({ tested }) => tested.n },
  { name: "mean", type: "number", read: ({ tested }) => tested.mean },
  { name: "deviation", type: "number", read: ({ tested }) => tested.deviation },
  { name: "ratio", type: "number", read: ({ tested }) => ratioOf(tested) },
  { name: "hit_rate", type: "number", read: ({ hitRate }) => hitRate },
  { name: "standard_error", type: "number", read: ({ tested }) => tested.standardError },
  { name: "t", type: "number", read: ({ tested }) => tested.t },
  { name: "df", type: "count", read: ({ tested }) => tested.df },
  { name: "p", type: "number", read: ({ tested }) => tested.p },
  { name: "low", type: "number", read: ({ tested }) => tested.low },
  { name: "high", type: "number", read: ({ tested }) => tested.high },
  { name: "overlap", type: "count", read: ({ tested }) => tested.overlap },
  { name: "windows", type: "number", read: ({ tested }) => tested.windows },
  { name: "effective_n", type: "number", read: ({ tested }) => tested.effectiveN },
  { name: "detectable", type: "number", read: ({ tested }) => tested.detectable },
  { name: "method", type: "text", read: ({ tested }) => tested.method },
  { name: "reason", type: "text", read: ({ tested }) => tested.reason },
];

/** The means of series by session with their tests, and what other looks at them say. */
export class InformationSummary extends Parts {
  /** Each mean in a sentence, with its observations. */
  readonly text: string;
  /** One row a horizon and group, with the test of the mean. */
  readonly table: DataFrame;
  /** One row a check: the one-session form, values that do not overlap, halves, the noise control. */
  readonly checks: DataFrame;

  /**
   * Puts the tests of several series together.
   *
   * @param rows The series with their tests
   * @param about What the checks say, and what the means are of
   */
  constructor(
    rows: readonly SummaryRow[],
    about: { readonly checks: readonly CheckRow[]; readonly what: string },
  ) {
    super();
    const { checks, what } = about;
    this.text = rows.map((row) => describeRow(row, checks, what)).join("\n");
    const hasGroups = rows.some(({ series }) => series.group !== null);
    const kept = <Row>(columns: readonly RowColumn<Row>[]) =>
      columns.filter(({ name }) => hasGroups || name !== "group");
    this.table = frameOfRows(rows, kept(COLUMNS));
    this.checks = frameOfRows(checks, kept(CHECK_COLUMNS));
  }

  /** The frames to show. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return { table: this.table, checks: this.checks };
  }
}

/**
 * Tests whether the mean of a series by session is zero: of ICs, spreads, portfolio returns or slopes.
 *
 * `table` has one row a horizon (and `group`, if there is one): `horizon` (Int32, in sessions), `sessions` (Int32, values
 * that are not null), `mean`, `deviation` (n − 1), `ratio` (mean over deviation, not annualised), `hit_rate` (share above
 * 0), `standard_error`, `t`, `df` (Int32), `p` (two-sided), `low`, `high` (95 %), `overlap` (Int32), `windows` (sessions
 * over overlap), `effective_n`, `detectable` (the true mean that such a sample finds four times in five), `method`,
 * `reason`. Where a sample has fewer than 20 values or 10 windows that do not overlap, the test is null, reason
 * `too_few_windows`.
 *
 * The default is the equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018) with fewer cosines, which rejects
 * between 3.5 and 6.5 % of true null hypotheses at 5 % under overlapping windows. If premia drift over months, true error
 * rates are nearer 6.5 %. The other methods are for comparison with papers; `deno task bench calibration` shows how wrong
 * they are.
 *
 * @param ic Series by session: `session`, a value (`ic`, `spread`, `return`, `slope`), and `horizon` and `group` if there
 * are several
 * @param options The method, the null hypothesis, and what the checks need
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If a session stands twice in a series, or a number is out of range
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
): InformationSummary {
  const action = "summarise a series";
  assertKnownOptions(action, options, [
    ...SERIES_OPTIONS,
    ...["inference", "against", "oneSession", "noise", "ledger", "what", "of"],
  ]);
  const { inference = { method: "ewc" }, against = 0, oneSession, noise, ledger, ...rest } =
    options;
  assertInference(inference);
  if (!Number.isFinite(against)) {
    throw new RangeError(`Cannot ${action}: against is a finite number, got ${against}`);
  }
  const { what: given, of, ...columns } = rest;
  const all = readSeries(action, ic, columns);
  const what = given ?? (all[0]?.name === "ic" ? "mean IC" : `mean ${all[0]?.name ?? "value"}`);
  const others = oneSession === undefined ? [] : readSeries(action, oneSession, columns);
  const rows = all.map((series) => toRow(series, testMean(series, inference, against)));
  const checks = all.flatMap((series) =>
    checkSeries(series, {
      against,
      oneSession: others.find((one) =>
        one.horizon === series.horizon && one.group === series.group
      ) ?? null,
      noise: noise ?? null,
    })
  );
  for (const row of rows) enter(row, { ledger, what, of, inference, against });
  return new InformationSummary(rows, { checks, what });
}

function toRow(series: SessionSeries, tested: TestedMean): SummaryRow {
  const above = series.values.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
  return { series, tested, hitRate: tested.n === 0 ? null : above / tested.n };
}

function ratioOf({ mean, deviation }: TestedMean): number | null {
  return mean === null || deviation === null || deviation === 0 ? null : mean / deviation;
}

function enter(
  { series, tested }: SummaryRow,
  { ledger, what, of, inference, against }: {
    readonly ledger: Ledger | undefined;
    readonly what: string;
    readonly of: string | undefined;
    readonly inference: Inference;
    readonly against: number;
  },
): void {
  const { horizon, group } = series;
  const { n, t, p } = tested;
  const whose = of === undefined ? {} : { of };
  const by = { ...whose, horizon, ...(group === null ? {} : { group }), ...inference };
  ledger?.enter({ what, options: against === 0 ? by : { ...by, against }, n, t, p });
}

function describeRow(
  { series, tested }: SummaryRow,
  checks: readonly CheckRow[],
  what: string,
): string {
  const { horizon, group } = series;
  const text = describeMean(tested, { what, horizon });
  const head = group === null ? "" : `${group}, `;
  const missing = missingText(series);
  const second = checks.find((row) =>
    row.check === "one-session form" && row.horizon === horizon && row.group === group
  )?.tested;
  if (horizon === 1 || second === undefined || second.t === null) {
    return `${head}${text}${missing}`;
  }
  return `${head}${text} In its one-session form, over ${countText(second.n, "session")}: ` +
    `${describeRatio(second)}.${missing}`;
}

// What a portfolio would have earned with names whose return is not known, nobody knows.
function missingText({ missingWeight }: SessionSeries): string {
  if (missingWeight === undefined || !(missingWeight > MUCH_WEIGHT)) return "";
  return ` ${(100 * missingWeight).toFixed(1)} % of the weight has no return and is left out.`;
}
