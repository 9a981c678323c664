import type { DataType } from "nodejs-polars";

/** Columns of a frame, with the type of each. */
export type Schema = Record<string, DataType>;
