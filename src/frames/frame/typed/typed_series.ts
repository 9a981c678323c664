import type { DataType, Series } from "nodejs-polars";
import type { ValueOf } from "./value_of.ts";

/**
 * A column of a {@link TypedFrame}: a Series of nodejs-polars whose values have their run-time type. nodejs-polars itself types
 * a date, an instant or a category as `never`, and omits null.
 *
 * @internal
 */
export interface TypedSeries<Type extends DataType = DataType, Name extends string = string>
  extends Omit<Series<Type, Name>, "toArray" | typeof Symbol.iterator> {
  /** Values; missing ones are null. */
  toArray(): ValueOf<Type>[];
  /** @ignore */
  toArray(): never;
  /**
   * Iterates over the values, as `getIndex` returns them; of any type, because the type of a Series of nodejs-polars has
   * neither dates nor nulls, and a column must be assignable to it. `toArray` is typed.
   */
  [Symbol.iterator](): IterableIterator<ReturnType<Series["getIndex"]>>;
}
