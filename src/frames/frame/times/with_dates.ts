import pl, { type DataFrame } from "nodejs-polars";
import { columnType } from "./column_type.ts";
import { readDays } from "./read_days.ts";

/**
 * Converts the column `date` of a frame to dates, if it has texts or times at midnight.
 *
 * @param action Action that needs them, worded to follow "Cannot"
 * @throws {TypeError} If the column has another type
 */
export function withDates(action: string, frame: DataFrame): DataFrame {
  if (columnType(frame.getColumn("date")).name === "Date") return frame;
  return frame.withColumns(
    pl.Series("date", readDays(action, frame, "date"), pl.Int32).cast(pl.Date),
  );
}
