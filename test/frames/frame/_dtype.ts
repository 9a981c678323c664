import type { DataFrame } from "nodejs-polars";

/** The dtype of a column as the printed frame shows it, such as `datetime[ms, UTC]`. */
export function shownType(frame: DataFrame, column: string): string {
  return /^Series: '.*' \[(.+)\]$/m.exec(frame.getColumn(column).toString())?.[1] ?? "";
}
