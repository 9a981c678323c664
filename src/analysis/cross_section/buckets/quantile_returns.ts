import pl, { type DataFrame } from "nodejs-polars";
import * as rules from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { type DenseScores, horizonsOf, returnsOf } from "../../dense/dense_frames.ts";
import { testMean } from "../../inference/test_mean.ts";
import {
  meanOrNull,
  type SessionSeries,
  type TestedMean,
  withoutTest,
} from "../../inference/tested_mean.ts";
import { rowsByLine, tableOfRows } from "../../table/frame_of_rows.ts";
import { laidOut, tableSeries } from "../../inference/table_series.ts";
import {
  countColumn,
  dayColumn,
  numberColumn,
  textColumn,
} from "../../../frames/frame/typed/make_columns.ts";
import { type Grouping, groupPartition, VALUE_WEIGHTS, valueGrid } from "../partition.ts";
import { type QuantileCells, quantileCells } from "./quantile_cells.ts";
import { type HasBuckets, toQuantized } from "./quantize.ts";
import type { TableOf } from "../../table/columns.ts";

/** Columns of the means over sessions, in order. */
const MEAN_COLUMNS = `horizon quantile mean standard_error low high sessions names mean_excess
  excess_low excess_high reason`;

/** Columns of the means of every session, in order. */
const CELL_COLUMNS = "session horizon quantile mean mean_excess deviation n";

/** Options of the mean returns of quantiles. */
export interface MeanReturnByQuantileOptions {
  /** One row for each group as well. @default none */
  readonly by?: "group";
  /** Weights the returns of a quantile by a column, at the session of the score. @default every stock alike */
  readonly weighting?: { readonly value: string };
  /** Gives the mean of every session instead of the mean over sessions. @default false */
  readonly bySession?: boolean;
  /** `"alphalens"`: plain standard errors, beside excess returns. @default none */
  readonly compat?: "alphalens";
}

const RULES: rules.OptionRules<MeanReturnByQuantileOptions> = {
  by: rules.oneOf("group"),
  weighting: VALUE_WEIGHTS,
  bySession: rules.FLAG,
  compat: COMPAT,
};
const ACTION = "average returns by quantile";

/**
 * The mean forward return of each quantile: first over the stocks of a session with a return, then over sessions with
 * equal weights.
 *
 * One row per horizon, quantile and, if requested, group: `horizon`, `quantile`, [`group`], `mean` (0.01 is one percent
 * over the horizon), `standard_error`, `low`, `high` (95% confidence interval by equal-weighted cosines; null with a
 * `reason` below ten non-overlapping windows), `sessions`, `names` (mean number of stocks per session), `mean_excess`
 * (over the session's mean of all stocks with score and return) with `excess_low` and `excess_high` (95% confidence
 * interval of the series of differences, which varies less than the returns), `reason`. With `bySession` one row per
 * session as well, with `mean`, `mean_excess`, `deviation` (of stocks, n − 1) and `n`.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per horizon and quantile: the mean return with its interval
 * @throws {TypeError} If there are no quantiles, or groups are requested and the data have none
 * @see Jegadeesh and Titman (1993), Returns to buying winners and selling losers, Journal of Finance 48
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { meanReturnByQuantile } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0.1, 0.2, 0.8, 0.9],
 *   quantile: [1, 1, 2, 2],
 *   return_1: [-0.02, 0, 0.01, 0.03],
 * });
 * const means = meanReturnByQuantile(data).getColumn("mean").toArray();
 * if (means.join() !== "-0.01,0.02") throw new Error("two buckets");
 * ```
 */
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options?: MeanReturnByQuantileOptions & {
    readonly by?: undefined;
    readonly compat?: undefined;
    readonly bySession?: false;
  },
): TableOf<typeof MEAN_COLUMNS>;
/**
 * The mean return of each quantile in every session.
 *
 * @returns A frame of one row per session, horizon and quantile
 */
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options: MeanReturnByQuantileOptions & {
    readonly by?: undefined;
    readonly compat?: undefined;
    readonly bySession: true;
  },
): TableOf<typeof CELL_COLUMNS>;
/**
 * The mean return of each quantile within each group, in a column `group`.
 *
 * @returns A frame of one row per horizon, quantile and group
 */
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options: MeanReturnByQuantileOptions & {
    readonly by: "group";
    readonly compat?: undefined;
    readonly bySession?: false;
  },
): TableOf<typeof MEAN_COLUMNS | "group">;
/**
 * The mean return of each quantile within each group, in every session.
 *
 * @returns A frame of one row per session, horizon, quantile and group
 */
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options: MeanReturnByQuantileOptions & {
    readonly by: "group";
    readonly compat?: undefined;
    readonly bySession: true;
  },
): TableOf<typeof CELL_COLUMNS | "group">;
/**
 * The mean returns with the errors of alphalens.
 *
 * @returns A frame of one row per horizon, quantile and group, and with `bySession` per session as well
 */
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options: MeanReturnByQuantileOptions,
): DataFrame;
export function meanReturnByQuantile(
  data: HasBuckets | DataFrame,
  options: MeanReturnByQuantileOptions = {},
): DataFrame {
  rules.checkOptions("call meanReturnByQuantile()", options, RULES);
  const { by, bySession = false } = options;
  const { errors = "tested" } = presetOf("meanReturnByQuantile", options.compat);
  const quantized = toQuantized(ACTION, data);
  const { dense } = quantized;
  const partition = by === undefined ? null : groupPartition(`${ACTION} and group`, dense);
  const { weighting } = options;
  const sizes = weighting === undefined ? null : valueGrid(ACTION, data, weighting);
  const horizons = horizonsOf(ACTION, dense).map((horizon) => ({
    horizon,
    cells: quantileCells(quantized, returnsOf(ACTION, dense, horizon), partition, sizes),
  }));
  const layout: Layout = { dense, count: quantized.count, partition, errors };
  return bySession ? toCellFrame(horizons, layout) : averageCells(horizons, layout);
}

/**
 * The mean return of each session, horizon and quantile: `session`, `horizon`, `quantile`, `mean`, `mean_excess`, `n`; what
 * {@link quantileMeans} averages over sessions.
 */
export function quantileTable(data: HasBuckets): DataFrame {
  const { dense } = data;
  const horizons = dense.periods.map((horizon) => ({
    horizon,
    cells: quantileCells(data, returnsOf(ACTION, dense, horizon), null),
  }));
  const layout = { dense, count: data.count, partition: null, errors: "tested" } as const;
  return toCellFrame(horizons, layout, false);
}

/** Sessions of the prices, horizons, and number of quantiles of a table by session. */
export interface QuantileLayout {
  readonly days: Int32Array;
  readonly periods: readonly number[];
  readonly count: number;
}

/** The means of quantiles over the sessions of a table, as {@link meanReturnByQuantile} gives them. */
export function quantileMeans(table: DataFrame, of: QuantileLayout): DataFrame {
  const excesses = tableQuantileSeries(table, of, "mean_excess");
  const layout = { count: of.count, partition: null, errors: "tested" } as const;
  const rows = tableQuantileSeries(table, of).map((means, i) =>
    meanRow(layout, i % of.count, means, excesses[i]!)
  );
  return toMeanFrame(rows, layout);
}

/** The mean returns of quantiles in a table as series by session, each quantile a group named by its number. */
export function tableQuantileSeries(
  table: DataFrame,
  of: QuantileLayout,
  value: "mean" | "mean_excess" = "mean",
): readonly SessionSeries[] {
  const name = "quantile";
  const series = tableSeries(table, of.days, { value, name, group: "quantile" });
  return laidOut(series, { name, ...of }, of.count);
}

interface Horizon {
  readonly horizon: number;
  readonly cells: QuantileCells;
}

interface Layout {
  readonly dense: DenseScores;
  readonly count: number;
  readonly partition: Grouping | null;
  readonly errors: "tested" | "plain";
}

function seriesOf(
  cells: QuantileCells,
  place: number,
  values: Float64Array,
  { from, to, days }: DenseScores,
  horizon: number,
) {
  const places = Int32Array.from({ length: to - from }, (_, session) => from + session);
  const at = (session: number) => session * cells.perSession + place;
  return {
    horizon,
    days: days.slice(from, to),
    places,
    values: Float64Array.from(places, (_, session) => values[at(session)]!),
    counts: Int32Array.from(places, (_, session) => cells.counts[at(session)]!),
  };
}

function averageCells(horizons: readonly Horizon[], layout: Layout): DataFrame {
  const { dense } = layout;
  const rows = horizons.flatMap(({ horizon, cells }) =>
    Array.from({ length: cells.perSession }, (_, place) => {
      const [means, excess] = [cells.means, cells.excess].map((values) =>
        seriesOf(cells, place, values, dense, horizon)
      );
      return meanRow(layout, place, means!, excess!);
    })
  );
  return toMeanFrame(rows, layout);
}

type Values = Omit<SessionSeries, "name" | "group" | "unit">;
/** The row of a quantile, or of a part of it. */
function meanRow(
  { count, partition, errors }: Omit<Layout, "dense">,
  place: number,
  means: Values,
  excess: Values,
) {
  const [test, over] = [means, excess].map((series) =>
    errors === "plain" ? plainError(series.values) : testMean(series)
  ) as [TestedMean, TestedMean];
  const names = [...means.counts].filter((_, i) => !Number.isNaN(means.values[i]!));
  const group = partition === null ? [] : [partition.names[Math.floor(place / count)]!];
  const cells = [test.mean, test.standardError, test.low, test.high, test.n, meanOrNull(names)];
  const ends = errors === "plain" ? [over.standardError] : [over.low, over.high];
  return [means.horizon, place % count + 1, ...group, ...cells, over.mean, ...ends, test.reason];
}

function toMeanFrame(
  rows: readonly ReturnType<typeof meanRow>[],
  { partition, errors }: Omit<Layout, "dense">,
): DataFrame {
  const key = partition === null ? "quantile" : "quantile group";
  const names = MEAN_COLUMNS.replace("quantile", key);
  return tableOfRows(
    rows,
    errors === "plain" ? names.replace(/excess_low\s+excess_high/, "excess_standard_error") : names,
  );
}

function toCellFrame(
  horizons: readonly Horizon[],
  layout: Layout,
  hasDeviations = true,
): DataFrame {
  const { dense, count, partition, errors } = layout;
  const { days, from, to } = dense;
  const lines = horizons.flatMap(({ horizon, cells }) =>
    Array.from({ length: cells.perSession }, (_, place) => ({ horizon, cells, place }))
  );
  const { counts, numbers } = rowsByLine(to - from, lines);
  const number = (name: string, read: (cells: QuantileCells, cell: number) => number) =>
    numberColumn(
      name,
      numbers(({ cells, place }, session) => read(cells, session * cells.perSession + place)),
    );
  return pl.DataFrame([
    dayColumn("session", counts((_, session) => days[from + session]!)),
    countColumn("horizon", counts(({ horizon }) => horizon)),
    countColumn("quantile", counts(({ place }) => place % count + 1)),
    ...groupColumns(partition, counts(({ place }) => Math.floor(place / count))),
    number("mean", (cells, cell) => cells.means[cell]!),
    number("mean_excess", (cells, cell) => cells.excess[cell]!),
    ...(hasDeviations ? [number("deviation", (cells, cell) => cells.deviations[cell]!)] : []),
    ...(errors === "plain"
      ? [
        number("standard_error", (cells, cell) =>
          cells.deviations[cell]! / Math.sqrt(cells.counts[cell]!)),
      ]
      : []),
    countColumn(
      "n",
      counts(({ cells, place }, session) => cells.counts[session * cells.perSession + place]!),
    ),
  ]);
}

function groupColumns(partition: Grouping | null, parts: ArrayLike<number>) {
  return partition === null ? [] : [textColumn("group", parts, partition.names)];
}

/** The mean with the plain standard error, NaN left out: right only for values that do not overlap. */
export function plainError(values: Float64Array): TestedMean {
  const known = values.filter((value) => !Number.isNaN(value));
  const sample = { values: known, places: new Int32Array(), horizon: 1, overlap: 1 };
  const nothing = withoutTest(sample, "ewc", "no_variance");
  const { deviation } = nothing;
  const standardError = deviation === null ? null : deviation / Math.sqrt(known.length);
  return { ...nothing, standardError, reason: null };
}
