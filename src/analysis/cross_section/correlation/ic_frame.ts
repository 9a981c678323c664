import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../calendar/civil_date.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import type { IcValues } from "../../dense/ic_values.ts";
import { NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { frameOfRows } from "../../table/frame_of_rows.ts";
import { readDays, readNumbers } from "../../table/read_columns.ts";
import { countColumn, dayColumn, numberColumn, textColumn } from "../../table/make_columns.ts";
import type { Partition } from "../partition.ts";

/** The correlations of one horizon or lag, and of one part. */
export interface IcLine {
  /** The horizon or lag. */
  readonly key: number;
  /** The part; `null` for all names. */
  readonly part: number | null;
  /** One value a session of the scores. */
  readonly values: IcValues;
}

/** How correlations are laid out. */
export interface IcLayout {
  /** Whose sessions they are. */
  readonly dense: DenseScores;
  /** What the key is called. */
  readonly key: "horizon" | "lag";
  /** The parts; `null` for all names. */
  readonly partition: Partition | null;
}

/** One row a session, key and part. */
export function toIcFrame(
  lines: readonly IcLine[],
  { dense, key, partition }: IcLayout,
): DataFrame {
  const sessions = dense.to - dense.from;
  const height = sessions * lines.length;
  const read = <Column extends Int32Array | Float64Array>(
    column: Column,
    value: (line: IcLine, session: number) => number,
  ): Column => {
    for (let row = 0; row < height; row++) {
      column[row] = value(lines[row % lines.length]!, Math.floor(row / lines.length));
    }
    return column;
  };
  const counts = (value: (line: IcLine, session: number) => number) =>
    read(new Int32Array(height), value);
  const ics = read(new Float64Array(height), ({ values }, session) => values.values[session]!);
  return pl.DataFrame([
    dayColumn("session", counts((_, session) => dense.days[dense.from + session]!)),
    countColumn(key, counts((line) => line.key)),
    ...(partition === null
      ? []
      : [textColumn(partition.column, counts((line) => line.part!), partition.names)]),
    numberColumn("ic", ics),
    countColumn("n", counts(({ values }, session) => values.counts[session]!)),
    textColumn(
      "reason",
      counts(({ values }, session) => values.reasons[session]!),
      NULL_REASONS,
    ),
  ]);
}

/** One row a month, key and part: the plain mean of the sessions that have a value. */
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
export function monthlyMeans(ic: DataFrame): DataFrame {
  const action = "average correlations by month";
  const days = readDays(action, ic, "session");
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
  return frameOfRows([...rows.values()], [
    { name: "month", type: "text", read: ({ month }) => month },
    { name: "horizon", type: "count", read: ({ key }) => key },
    { name: "ic", type: "number", read: ({ sum, n }) => n === 0 ? null : sum / n },
    { name: "n", type: "count", read: ({ n }) => n },
    { name: "reason", type: "text", read: ({ n }) => n === 0 ? NULL_REASONS[1]! : null },
  ]);
}
