import type { TestedMean } from "./tested_mean.ts";
import type { RowColumn } from "../table/frame_of_rows.ts";

/** The columns of a tested mean: `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions`, `reason`. */
export function testedColumns<Row>(read: (row: Row) => TestedMean): readonly RowColumn<Row>[] {
  return [
    { name: "mean", type: "number", read: (row) => read(row).mean },
    { name: "standard_error", type: "number", read: (row) => read(row).standardError },
    { name: "t", type: "number", read: (row) => read(row).t },
    { name: "df", type: "count", read: (row) => read(row).df },
    { name: "p", type: "number", read: (row) => read(row).p },
    { name: "low", type: "number", read: (row) => read(row).low },
    { name: "high", type: "number", read: (row) => read(row).high },
    { name: "sessions", type: "count", read: (row) => read(row).n },
    { name: "reason", type: "text", read: (row) => read(row).reason },
  ];
}
