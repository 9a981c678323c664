import type { ColumnsOf, ColumnTable } from "./column_kind.ts";
import type { TypedFrame } from "./typed_frame.ts";

/** Frame with the columns of a table. */
export type TableFrame<Table extends ColumnTable> = TypedFrame<ColumnsOf<Table>>;
