import pl, { type DataFrame } from "nodejs-polars";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { type DenseScores, horizonsOf, returnsOf } from "../../dense/dense_frames.ts";
import { testMean } from "../../inference/test_mean.ts";
import { percentText } from "../../../base/wording/number_text.ts";
import { type SessionSeries, testCells } from "../../inference/tested_mean.ts";
import { laidOut, tableSeries } from "../../inference/table_series.ts";
import { plainError, type QuantileLayout } from "./quantile_returns.ts";
import { numberColumn, textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { framed, frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { displayParts, rowsByLine, tableOfRows } from "../../table/frame_of_rows.ts";
import { quantileCells } from "./quantile_cells.ts";
import { VALUE_WEIGHTS, valueGrid } from "../partition.ts";
import { type HasBuckets, toQuantized } from "./quantize.ts";
import { kindsOf, type TableOf } from "../../table/columns.ts";

/** Columns by session, in order; plain errors add `standard_error`. */
const SPREAD_COLUMNS = "session horizon spread n_top n_bottom reason";

/** Columns of the tests, in order. */
const TEST_COLUMNS = "horizon sessions mean ...test reason";

/** Top minus bottom, by session and over sessions. */
export interface QuantileSpread {
  /**
   * One row per session and horizon: `session`, `horizon`, `spread` (0.01 is one percent of the capital of one side, or
   * of both with `gross: 1`), `n_top`, `n_bottom`, `reason` (`too_few_names` where a quantile has no return).
   */
  readonly data: TableOf<typeof SPREAD_COLUMNS>;
  /** One row per horizon: `horizon`, `sessions`, `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`, `reason`. */
  readonly summary: TableOf<typeof TEST_COLUMNS>;
  /** The spread of each horizon as a series by session. */
  readonly series: readonly SessionSeries[];
  /** The gross exposure that it assumes, in words. */
  readonly exposure: string;
}

const GROSS: rules.Rule<1 | 2> = rules.ruleOf(
  "1 or 2, which is the whole capital on each side",
  (value) => value === 1 || value === 2,
  { isKind: () => true },
);
const RULES: rules.OptionRules<NonNullable<Parameters<typeof quantileSpread>[1]>> = {
  weighting: VALUE_WEIGHTS,
  top: rules.whole(1),
  bottom: rules.whole(1),
  gross: GROSS,
  compat: COMPAT,
};
const ACTION = "subtract the bottom from the top";

/**
 * The mean return of the top quantile minus that of the bottom one, session by session. Its standard error is that of the series of
 * differences: top and bottom are correlated, so it does not follow from their separate standard errors.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns The differences by session (`data`), and their tested means (`summary`)
 * @throws {RangeError} If a quantile does not exist, or gross is neither 1 nor 2
 * @see Jegadeesh and Titman (1993), Returns to buying winners and selling losers, Journal of Finance 48
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantileSpread } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B"],
 *   score: [0.1, 0.9],
 *   quantile: [1, 2],
 *   return_1: [-0.25, 0.5],
 * });
 * const [spread] = quantileSpread(data).data.getColumn("spread").toArray();
 * if (spread !== 0.75) throw new Error("top minus bottom");
 * ```
 */
export function quantileSpread(
  data: HasBuckets | DataFrame,
  options: {
    /** The quantile that is held long. @default the highest */
    readonly top?: number;
    /** The quantile that is sold short. @default the lowest */
    readonly bottom?: number;
    /** Gross exposure. 2: one unit in each; 1: half a unit in each. @default 2 */
    readonly gross?: 2 | 1;
    /** Weights the returns of both by a column, at the session of the score. @default every stock alike */
    readonly weighting?: { readonly value: string };
    /** `"alphalens"`: errors by session as if both quantiles were independent, and no test over sessions. @default none */
    readonly compat?: "alphalens";
  } = {},
): QuantileSpread {
  rules.checkOptions("call quantileSpread()", options, RULES);
  const { errors = "tested" } = presetOf("quantileSpread", options.compat);
  const quantized = toQuantized(ACTION, data);
  const { top = quantized.count, bottom = 1, gross = 2 } = options;
  rules.checkOption(ACTION, "top", top, rules.whole(1, quantized.count));
  rules.checkOption(ACTION, "bottom", bottom, rules.whole(1, quantized.count));
  const sides = { top, bottom, gross };
  const { dense } = quantized;
  const { weighting } = options;
  const sizes = weighting === undefined ? null : valueGrid(ACTION, data, weighting);
  const spreads = horizonsOf(ACTION, dense).map((horizon) =>
    spreadOf(quantized, horizon, sides, sizes, errors === "plain")
  );
  const frame = toSpreadFrame(dense, spreads);
  // Plain errors are those of sessions: the mean over them has none.
  const withoutError = ({ values }: SessionSeries) => ({
    ...plainError(values),
    standardError: null,
  });
  return toSpread(frame, dense, sides, errors === "tested" ? testMean : withoutError);
}

/** The spread of the highest and the lowest of some quantiles, from the `data` of {@link quantileSpread}. */
export function tableSpread(table: DataFrame, of: QuantileLayout): QuantileSpread {
  return toSpread(framed(table), of, { top: of.count, bottom: 1, gross: 2 }, testMean);
}

function toSpread(
  data: QuantileSpread["data"],
  of: Pick<QuantileLayout, "days" | "periods">,
  { top, bottom, gross }: Sides,
  test: (series: SessionSeries) => ReturnType<typeof plainError>,
): QuantileSpread {
  const name = "spread";
  const series = laidOut(
    tableSeries(data, of.days, { value: name, counts: ["n_top", "n_bottom"] }),
    { name, days: of.days, periods: of.periods },
  );
  const rows = series.map((one) => {
    const tested = test(one);
    return [one.horizon, tested.n, tested.mean, ...testCells(tested), tested.reason];
  });
  const summary = tableOfRows(rows, TEST_COLUMNS);
  const share = percentText(gross / 2, 0);
  const exposure = `${share} long quantile ${top} and ${share} short quantile ${bottom}, a gross ` +
    `exposure of ${percentText(gross, 0)}`;
  return {
    ...displayParts(() => `Quantile spread: ${exposure}.`, () => ({ summary, data })),
    data,
    summary,
    series,
    exposure,
  };
}

interface Sides {
  readonly top: number;
  readonly bottom: number;
  readonly gross: 1 | 2;
}

function spreadOf(
  quantized: HasBuckets,
  horizon: number,
  { top, bottom, gross }: Sides,
  sizes: Float64Array | null,
  hasErrors: boolean,
) {
  const { dense, count } = quantized;
  const cells = quantileCells(quantized, returnsOf(ACTION, dense, horizon), null, sizes);
  const sessions = Int32Array.from({ length: dense.to - dense.from }, (_, session) => session);
  const at = (session: number, bucket: number) => session * count + bucket - 1;
  const variance = (session: number, bucket: number) =>
    cells.deviations[at(session, bucket)]! ** 2 / cells.counts[at(session, bucket)]!;
  const spread = (session: number) =>
    (cells.means[at(session, top)]! - cells.means[at(session, bottom)]!) * gross / 2;
  const error = (session: number) =>
    Math.sqrt(variance(session, top) + variance(session, bottom)) * gross / 2;
  return {
    horizon,
    values: Float64Array.from(sessions, spread),
    nTop: sessions.map((session) => cells.counts[at(session, top)]!),
    nBottom: sessions.map((session) => cells.counts[at(session, bottom)]!),
    errors: hasErrors ? Float64Array.from(sessions, error) : null,
  };
}

function toSpreadFrame(
  { days, from, to }: DenseScores,
  spreads: readonly ReturnType<typeof spreadOf>[],
): TableOf<typeof SPREAD_COLUMNS> {
  const { counts, numbers } = rowsByLine(to - from, spreads);
  const frame = frameOf(kindsOf(SPREAD_COLUMNS), {
    session: counts((_, session) => days[from + session]!),
    horizon: counts(({ horizon }) => horizon),
    spread: numbers(({ values }, session) => values[session]!),
    n_top: counts(({ nTop }, session) => nTop[session]!),
    n_bottom: counts(({ nBottom }, session) => nBottom[session]!),
    reason: textColumn(
      "reason",
      counts(({ values }, session) => Number.isNaN(values[session]!) ? 0 : -1),
      ["too_few_names"],
    ),
  });
  if (spreads.some((one) => one.errors === null)) return frame;
  const errors = numbers((one, session) => one.errors![session]!);
  const [reason, ...others] = frame.getColumns().toReversed();
  return framed(
    pl.DataFrame([...others.toReversed(), numberColumn("standard_error", errors), reason!]),
  );
}
