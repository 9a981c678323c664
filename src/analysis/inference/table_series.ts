import type { DataFrame } from "nodejs-polars";
import { placesOfDays } from "../dense/days.ts";
import { readDayColumn, readNumbers } from "../table/read_columns.ts";
import { periodUnit } from "./period_unit.ts";
import type { SessionSeries } from "./session_series.ts";

/** Series of a table by session. */
export interface TableLayout {
  /** Name of the values. */
  readonly name: string;
  /** The column of the values. */
  readonly value: string;
  /** The columns whose sum is the number of stocks behind a value. */
  readonly counts: readonly string[];
  /** The horizons. */
  readonly periods: readonly number[];
  /** The sessions of the prices, in the column `session`. */
  readonly sessions: DataFrame;
  /**
   * Number of quantiles, each of which has a series of its own.
   *
   * @default a table without quantiles
   */
  readonly quantiles?: number;
}

const ACTION = "read a table by session";

/**
 * The series of each horizon of a table by session, and of each of its quantiles, in this order; one without rows is empty. A quantile
 * is a group named by its number.
 *
 * @param table Rows by session with `session` and `horizon`, sessions ascending
 */
export function tableSeries(table: DataFrame, layout: TableLayout): readonly SessionSeries[] {
  const days = readDayColumn(ACTION, table, "session");
  const horizons = readNumbers(ACTION, table, "horizon");
  const values = readNumbers(ACTION, table, layout.value);
  const counts = layout.counts.map((name) => readNumbers(ACTION, table, name));
  const { quantiles: count } = layout;
  const quantiles = count === undefined ? null : readNumbers(ACTION, table, "quantile");
  const groups = Array.from({ length: count ?? 1 }, (_, place) => place + 1);
  const sessions = readDayColumn(ACTION, layout.sessions, "session");
  const placeOf = placesOfDays(sessions);
  const unit = periodUnit(sessions, true);
  const places = layout.periods.flatMap((horizon) => groups.map((group) => ({ horizon, group })));
  return places.map(({ horizon, group }) => {
    const rows = Int32Array.from(days.keys()).filter((row) =>
      horizons[row] === horizon && (quantiles === null || quantiles[row] === group)
    );
    return {
      name: layout.name,
      unit,
      horizon,
      group: quantiles === null ? null : String(group),
      days: rows.map((row) => days[row]!),
      places: rows.map((row) => placeOf(days[row]!)),
      values: Float64Array.from(rows, (row) => values[row]!),
      counts: rows.map((row) => counts.reduce((sum, column) => sum + column[row]!, 0)),
    };
  });
}
