import { tagOf } from "../../frame/tag_of.ts";

/** Part of a Polars Series that a display needs. */
export interface SeriesLike {
  /** Number of values. */
  readonly length: number;
  /** Data type; its text is `DataType(Float64)` or similar. */
  readonly dtype: unknown;
  /** Part of the Series, from `offset` on. */
  slice(offset: number, length?: number): SeriesLike;
  /** Values as JavaScript values. */
  toArray(): unknown[];
  /** Distinct values, including null. */
  unique(): SeriesLike;
}

/**
 * Part of a Polars DataFrame that a display needs.
 *
 * The type is structural, so that nothing here loads Polars. Column names come from the frame's own keys and the height from a
 * column, because a column named `height` or `columns` hides the property.
 */
export interface FrameLike {
  /** Column of a name. */
  getColumn(name: string): SeriesLike;
}

/** True if the value is a Polars DataFrame. */
export function isFrame(value: unknown): value is FrameLike {
  return tagOf(value) === "DataFrame" && typeof (value as FrameLike).getColumn === "function";
}

/** True if the value is a Polars LazyDataFrame, which has no rows to show yet. */
export function isLazyFrame(value: unknown): boolean {
  return tagOf(value) === "LazyDataFrame";
}

/** Names of a frame's columns, in order. */
export function columnNames(frame: FrameLike): readonly string[] {
  return Reflect.ownKeys(frame).filter((key) => typeof key === "string");
}
