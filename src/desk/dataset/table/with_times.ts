import type { DataFrame } from "nodejs-polars";
import { dayColumn, instantColumn } from "../../../frames/frame/typed/make_columns.ts";
import { columnType } from "../../../frames/frame/times/column_type.ts";
import { readDays } from "../../../frames/frame/times/read_days.ts";
import { readInstants } from "../../../frames/frame/times/read_instants.ts";
import type { Table } from "./table.ts";

/**
 * Converts the time columns of a frame to dates and instants, from texts and midnights if necessary.
 *
 * @param action The action, worded to follow "Cannot"
 * @throws {TypeError} If an instant has no time zone, or a date has a time of day
 */
export function withTimes(
  action: string,
  frame: DataFrame,
  { columns }: Pick<Table, "columns">,
): DataFrame {
  // Reading a column of one value would make all its rows.
  const head = frame.head(1);
  const read = columns.filter(({ name }) => frame.columns.includes(name))
    .flatMap(({ name, type }) => {
      const own = columnType(head.getColumn(name));
      if (own.name === "Null") return [];
      if (type === "date" && own.name !== "Date") {
        return [dayColumn(name, readDays(action, frame, name))];
      }
      if (type !== "instant" || own.zone !== null) return [];
      return [instantColumn(name, readInstants(action, frame.getColumn(name)))];
    });
  return read.length === 0 ? frame : frame.withColumns(...read);
}
