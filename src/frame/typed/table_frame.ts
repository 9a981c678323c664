import type { ColumnsOf, ColumnTable } from "./column_kind.ts";
import type { TypedFrame } from "./typed_frame.ts";

/** Frame that is made of a table of columns. */
export type TableFrame<Table extends ColumnTable> = TypedFrame<ColumnsOf<Table>>;
