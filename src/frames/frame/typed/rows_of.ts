import type { DataFrame } from "nodejs-polars";
import type { TypedFrame } from "./typed_frame.ts";

/** Frame with the columns of the rows given: those of a typed frame, or of the `data` of a result; untyped where they are unknown. */
export type RowsOf<Data> = Data extends TypedFrame<infer Columns> ? TypedFrame<Columns>
  : Data extends { readonly data: TypedFrame<infer Columns> } ? TypedFrame<Columns>
  : DataFrame;
