import pl, { type DataFrame } from "nodejs-polars";
import { columnType } from "./column_type.ts";
import { readDays } from "./read_days.ts";

/**
 * The frame with dates in its column `date`: as it is, or read from texts and midnights.
 *
 * @param action What needs them, worded to follow "Cannot"
 * @throws {TypeError} If the column holds something else
 */
export function withDates(action: string, frame: DataFrame): DataFrame {
  if (columnType(frame.getColumn("date")).name === "Date") return frame;
  return frame.withColumns(
    pl.Series("date", readDays(action, frame, "date"), pl.Int32).cast(pl.Date),
  );
}
