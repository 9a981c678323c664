import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import type { IcValues } from "../../dense/ic_values.ts";
import { NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { rowsByLine, tableOfRows } from "../../table/frame_of_rows.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { countColumn, numberColumn, textColumn } from "../../../frames/frame/typed/make_columns.ts";
import type { Grouping } from "../partition.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import type { AllOf, ColumnsOf, ColumnTable } from "../../../frames/frame/typed/columns.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import type { RenamedColumns } from "../../../frames/frame/typed/typed_frame.ts";

/** Columns of ICs by session and horizon, in order; by lag, `lag` stands for `horizon`. */
export const IC_COLUMNS = {
  session: "date",
  horizon: "count",
  ic: "number",
  n: "count",
  reason: "text",
} as const;

/**
 * Columns of ICs by session and lag.
 *
 * @internal
 */
export type LagColumns = RenamedColumns<
  ColumnsOf<typeof IC_COLUMNS>,
  { readonly horizon: "lag" }
>;

/** Columns of the table, in order. */
export const MONTH_COLUMNS = {
  month: "text",
  horizon: "count",
  ic: "number",
  n: "count",
  reason: "text",
} as const;

/**
 * Columns of ICs by part, month, or both; all possible ones where only the call determines the split.
 *
 * @internal
 */
export type SplitIcColumns<Split> = AllOf<
  Split extends readonly (infer Key)[]
    ? number extends Split["length"]
      ? ColumnsOf<typeof MONTH_COLUMNS & typeof IC_COLUMNS & { readonly group: "text" }>
    : "month" extends Key
      ? "group" extends Key ? ColumnsOf<typeof MONTH_COLUMNS & { readonly group: "text" }>
      : ColumnsOf<typeof MONTH_COLUMNS>
    : ColumnsOf<typeof IC_COLUMNS & { readonly group: "text" }>
    : Split extends "month" ? ColumnsOf<typeof MONTH_COLUMNS>
    : ColumnsOf<
      & typeof IC_COLUMNS
      & { readonly [Part in Split extends string ? Split : "part"]: "text" }
    >
>;

/** The correlations of one horizon or lag, and of one part. */
export interface IcLine {
  /** The horizon or lag. */
  readonly key: number;
  /** The part; `null` for all stocks. */
  readonly part: number | null;
  /** One value per session of the scores. */
  readonly values: IcValues;
}

/** Layout of a frame of correlations. */
export interface IcLayout {
  /** Scores whose sessions they are. */
  readonly dense: DenseScores;
  /** Name of the key. */
  readonly key: "horizon" | "lag";
  /** The parts; `null` for all stocks. */
  readonly partition: Grouping | null;
}

/** One row per session, key and part. */
export function toIcFrame(
  lines: readonly IcLine[],
  { dense, key, partition }: IcLayout,
): DataFrame {
  const { counts, numbers } = rowsByLine(dense.to - dense.from, lines);
  const reasons = counts(({ values }, session) => values.reasons[session]!);
  return frameOf(tableOf(key, partition), {
    session: counts((_, session) => dense.days[dense.from + session]!),
    [key]: counts((line) => line.key),
    ...(partition === null ? {} : {
      [partition.column]: textColumn(
        partition.column,
        counts((line) => line.part!),
        partition.names,
      ),
    }),
    ic: numbers(({ values }, session) => values.values[session]!),
    n: counts(({ values }, session) => values.counts[session]!),
    reason: textColumn("reason", reasons, NULL_REASONS),
  });
}

/** The table of ICs with its key, and a column of parts where there are some. */
function tableOf(key: IcLayout["key"], partition: Grouping | null): ColumnTable {
  const named = Object.entries(IC_COLUMNS).flatMap(([name, kind]) =>
    name !== "horizon"
      ? [[name, kind]]
      : [[key, kind], ...(partition === null ? [] : [[partition.column, "text"]])]
  );
  return Object.fromEntries(named);
}

/** One row per month, key and part: the plain mean of the sessions that have a value. */
export function toMonthlyIcFrame(
  lines: readonly IcLine[],
  { dense, key, partition }: IcLayout,
): DataFrame {
  const days = dense.days.subarray(dense.from, dense.to);
  const monthOf = Array.from(days, (day) => fromEpochDay(day).slice(0, 7));
  const months = [...new Set(monthOf)];
  const place = new Map(months.map((month, i) => [month, i]));
  const rows = months.flatMap((month) => lines.map((line) => ({ month, line })));
  const [sums, counts] = [new Float64Array(rows.length), new Int32Array(rows.length)];
  for (const [l, { values }] of lines.entries()) {
    for (const [session, ic] of values.values.entries()) {
      if (Number.isNaN(ic)) continue;
      const row = place.get(monthOf[session]!)! * lines.length + l;
      sums[row]! += ic;
      counts[row]!++;
    }
  }
  return pl.DataFrame([
    pl.Series("month", rows.map(({ month }) => month), pl.Utf8),
    countColumn(key, Int32Array.from(rows, ({ line }) => line.key)),
    ...(partition === null
      ? []
      : [textColumn(partition.column, rows.map(({ line }) => line.part!), partition.names)]),
    numberColumn("ic", sums.map((sum, row) => sum / counts[row]!)),
    countColumn("n", counts),
    textColumn("reason", counts.map((n) => n === 0 ? 1 : 0), NULL_REASONS),
  ]);
}

/** The same from correlations by session and horizon, without parts. */
export function monthlyMeans(ic: DataFrame): TableFrame<typeof MONTH_COLUMNS> {
  const action = "average correlations by month";
  const days = readDayColumn(action, ic, "session");
  const keys = readNumbers(action, ic, "horizon");
  const values = readNumbers(action, ic, "ic");
  const rows = new Map<string, { month: string; key: number; sum: number; n: number }>();
  for (const [row, day] of days.entries()) {
    const month = fromEpochDay(day).slice(0, 7);
    const key = keys[row]!;
    const name = `${month} ${key}`;
    let found = rows.get(name);
    if (found === undefined) rows.set(name, found = { month, key, sum: 0, n: 0 });
    const value = values[row]!;
    if (value !== value) continue;
    found.sum += value;
    found.n++;
  }
  return tableOfRows([...rows.values()], MONTH_COLUMNS, {
    horizon: ({ key }) => key,
    ic: ({ sum, n }) => n === 0 ? null : sum / n,
    reason: ({ n }) => n === 0 ? NULL_REASONS[1]! : null,
  });
}
