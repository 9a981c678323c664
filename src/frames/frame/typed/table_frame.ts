import type { ColumnsOf, ColumnTable, ValueOf } from "./columns.ts";
import type { TypedFrame } from "./typed_frame.ts";

/** Frame with the columns of a table. */
export type TableFrame<Table extends ColumnTable> = TypedFrame<ColumnsOf<Table>>;

/** A row of a frame with a table of columns. */
export type TableRow<Table extends ColumnTable> = {
  [Name in keyof ColumnsOf<Table>]: ValueOf<ColumnsOf<Table>[Name]>;
};
