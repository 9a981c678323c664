import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import type { IcValues } from "../../dense/rank/rank_correlation.ts";
import { NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { rowsByLine, tableOfRows } from "../../table/frame_of_rows.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
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

/** One row per month, horizon and part: the plain mean of the sessions that have a value. */
export function monthlyMeans(
  ic: DataFrame,
  part: string | null = null,
): TableFrame<typeof MONTH_COLUMNS> {
  const action = "average correlations by month";
  const days = readDayColumn(action, ic, "session");
  const horizons = readNumbers(action, ic, "horizon");
  const values = readNumbers(action, ic, "ic");
  const parts = part === null ? [] : ic.getColumn(part).toArray() as readonly string[];
  const rows = new Map<string, { month: string; horizon: number; sum: number; n: number }>();
  for (const [row, day] of days.entries()) {
    const [month, horizon] = [fromEpochDay(day).slice(0, 7), horizons[row]!];
    const name = `${month} ${horizon} ${parts[row]}`;
    const found = rows.get(name) ??
      { month, horizon, ...part !== null && { [part]: parts[row] }, sum: 0, n: 0 };
    rows.set(name, found);
    const value = values[row]!;
    if (value !== value) continue;
    found.sum += value;
    found.n++;
  }
  const { month, horizon, ...means } = MONTH_COLUMNS;
  const table = { month, horizon, ...part !== null && { [part]: "text" as const }, ...means };
  return tableOfRows([...rows.values()], table as typeof MONTH_COLUMNS, {
    ic: ({ sum, n }) => n === 0 ? null : sum / n,
    reason: ({ n }) => n === 0 ? NULL_REASONS[1]! : null,
  });
}
