import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { takeDays, takeNumbers } from "../table/read_columns.ts";
import type { SessionSeries } from "./tested_mean.ts";
import { FREQUENCIES, seenFrequency } from "../../frames/prices/dates/frequency.ts";

/** Values of series by session, one row for each session of each series. */
export interface SeriesColumns extends Pick<SessionSeries, "name" | "unit"> {
  readonly dated: "date" | "session";
  /** The session of the weights of each row; `null` if it is not known. */
  readonly from?: Int32Array | null;
  readonly days: Int32Array;
  /** The values; NaN stands for null. */
  readonly values: Float64Array;
  /** Horizon of each row, or of all. */
  readonly horizons: Float64Array | number;
  /** Group of each row; `null` without groups. */
  readonly groups: readonly (string | null)[] | null;
  /** Number of stocks behind each value; `null` if it is not known. */
  readonly counts: Float64Array | null;
  /** Share of a portfolio's weight without a return; `null` for other series. */
  readonly missing: Float64Array | null;
}

/** Columns of a table by session. */
interface TableLayout {
  /** The column of the values. */
  readonly value: string;
  /** Name of the values. @default the column */
  readonly name?: string;
  /** The column of groups, such as lags. @default none */
  readonly group?: string;
  /** The columns whose sum is the number of stocks behind a value. @default n, if there is one */
  readonly counts?: readonly string[];
}

const ACTION = "read a table by session";

/**
 * The series of a table by session of an analysis, one for each horizon and group.
 *
 * @param days The sessions of the prices, ascending
 */
export function tableSeries(
  table: DataFrame,
  days: Int32Array,
  { value, name = value, group, counts }: TableLayout,
): readonly SessionSeries[] {
  const find = (column: string) => table.columns.includes(column) ? numbers(column) : null;
  const numbers = (column: string) => takeNumbers(table.getColumn(column));
  const groups = group === undefined
    ? null
    : table.getColumn(group).toArray() as readonly (string | number | null)[];
  return splitSeries(ACTION, days, {
    name,
    unit: periodUnit(days, true),
    dated: dayName(table),
    days: takeDays(table.getColumn(dayName(table))),
    values: numbers(value),
    horizons: find("horizon") ?? 1,
    groups: groups && groups.map((one) => one === null ? null : String(one)),
    counts: counts === undefined
      ? find("n")
      : counts.map(numbers).reduce((a, b) => a.map((n, i) => n + b[i]!)),
    missing: find("missing_weight"),
  });
}

/** The column of the days of a table: `date` of money, else `session`. */
export function dayName({ columns }: Pick<DataFrame, "columns">): "date" | "session" {
  return columns.includes("date") ? "date" : "session";
}

/** The series with these horizons, and numbered groups from 1 on if there are any, in this order; one without rows is empty. */
export function laidOut(
  series: readonly SessionSeries[],
  { name, days, periods }: Readonly<{ name: string; days: Int32Array; periods: readonly number[] }>,
  groups: number | null = null,
): readonly SessionSeries[] {
  const names = groups === null ? [null] : Array.from({ length: groups }, (_, i) => String(i + 1));
  const unit = periodUnit(days, true);
  return periods.flatMap((horizon) =>
    names.map((group) =>
      series.find((one) => one.horizon === horizon && one.group === group) ??
        emptySeries(name, unit, horizon, group)
    )
  );
}

/** A series without any session. */
export function emptySeries(
  name: string,
  unit: string,
  horizon: number,
  group: string | null,
): SessionSeries {
  const none = { days: new Int32Array(), places: new Int32Array(), counts: new Int32Array() };
  return { name, unit, horizon, group, values: new Float64Array(), ...none };
}

/**
 * The series of columns: one for each horizon and group, sorted by both, each by session.
 *
 * @param sessions The sessions of the prices, ascending
 * @throws {RangeError} If a session occurs twice in one series, or is none of the sessions
 */
export function splitSeries(
  action: string,
  sessions: Int32Array,
  { name, unit, dated, days, values, counts, missing, from = null, ...keys }: SeriesColumns,
): readonly SessionSeries[] {
  return keysOf(keys, days.length).map(({ rows, ...key }) => {
    const sorted = inOrder(rows, days);
    refuseTwice(action, sorted, days);
    const ownDays = takeRows(days, sorted, new Int32Array(sorted.length));
    return {
      name,
      unit,
      dated,
      ...key,
      ...(from === null || sorted.length === 0
        ? {}
        : { entered: entryOf(from, sorted, ownDays[0]!) }),
      days: ownDays,
      places: placesOf(action, ownDays, sessions),
      values: takeRows(values, sorted, new Float64Array(sorted.length)),
      counts: takeRows(counts, sorted, new Int32Array(sorted.length)),
      ...(missing === null ? {} : { missingWeight: meanOf(sorted.map((row) => missing[row]!)) }),
    };
  });
}

/** The session from which the first return runs: that of the first weights, or a later one before its date where they are entered with a lag. */
function entryOf(from: Int32Array, rows: readonly number[], date: number): number {
  let entry = from[rows[0]!]!;
  for (let i = 1; i < rows.length && from[rows[i]!]! < date; i++) entry = from[rows[i]!]!;
  return entry;
}

function keysOf({ horizons, groups }: Pick<SeriesColumns, "horizons" | "groups">, height: number) {
  if (typeof horizons === "number" && groups === null) {
    if (height === 0) return [];
    const rows = Array.from({ length: height }, (_, row) => row);
    return [{ horizon: horizons, group: null, rows }];
  }
  const found = new Map<string, { horizon: number; group: string | null; rows: number[] }>();
  for (let row = 0; row < height; row++) {
    const group = groups?.[row] ?? null;
    const horizon = typeof horizons === "number" ? horizons : horizons[row]!;
    const key = `${horizon} ${group ?? ""}`;
    const entry = found.get(key) ?? { horizon, group, rows: [] };
    entry.rows.push(row);
    found.set(key, entry);
  }
  return [...found.values()].toSorted((a, b) =>
    a.horizon - b.horizon || compareTexts(a.group, b.group)
  );
}

function compareTexts(a: string | null, b: string | null): number {
  const [x, y] = [a ?? "", b ?? ""];
  const [isNumber, isOther] = [x, y].map((text) => /^\d+$/.test(text));
  // Numbers by size and before texts: any other mixture has no order.
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return isNumber ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
}

/** The values of rows, in their order; as given if there are none. A callback for each row would take most of the time of reading. */
function takeRows<Values extends Int32Array | Float64Array>(
  values: ArrayLike<number> | null,
  rows: readonly number[],
  into: Values,
): Values {
  if (values !== null) { for (let i = 0; i < rows.length; i++) into[i] = values[rows[i]!] ?? 0; }
  return into;
}

/** Rows by ascending day: those of most frames already are. */
function inOrder(rows: readonly number[], days: Int32Array): readonly number[] {
  for (let i = 1; i < rows.length; i++) {
    if (days[rows[i]!]! < days[rows[i - 1]!]!) {
      return rows.toSorted((a, b) => days[a]! - days[b]!);
    }
  }
  return rows;
}

/** Place of each day among the sessions; both ascend. */
function placesOf(action: string, days: Int32Array, sessions: Int32Array): Int32Array {
  const places = new Int32Array(days.length);
  let place = 0;
  for (let i = 0; i < days.length; i++) {
    const day = days[i]!;
    while (place < sessions.length && sessions[place]! < day) place++;
    if (sessions[place] !== day) {
      throw new RangeError(
        `Cannot ${action}: expected every session of the series among the sessions given, got ` +
          `${fromEpochDay(day)}, which is not; give those of the prices`,
      );
    }
    places[i] = place;
  }
  return places;
}

function refuseTwice(action: string, rows: readonly number[], days: Int32Array): void {
  for (let i = 1; i < rows.length; i++) {
    const day = days[rows[i]!]!;
    if (day !== days[rows[i - 1]!]) continue;
    throw new RangeError(
      `Cannot ${action}: expected one value per session, got several for ${fromEpochDay(day)}; ` +
        "keep horizons and groups apart in the columns horizon and group",
    );
  }
}

/**
 * Name of one period of a series: session, week, month. Values of every fifth session have weekly dates, so dates of values
 * alone identify daily data only; others are called periods.
 *
 * @param days The dates, ascending
 * @param areAll True if the dates are all sessions of the prices
 */
export function periodUnit(days: Int32Array, areAll: boolean): string {
  if (days.length < 2) return FREQUENCIES.daily.unit;
  const seen = seenFrequency(days);
  return seen !== null && (areAll || seen === "daily") ? FREQUENCIES[seen].unit : "period";
}
