import type { DataType, Series } from "nodejs-polars";
import type { ValueOf } from "./value_of.ts";

/**
 * A column of a {@link TypedFrame}: a Series of nodejs-polars whose values have the type that they have at run time.
 * nodejs-polars itself types a date, an instant or a category as `never`, and omits null.
 */
export interface TypedSeries<Type extends DataType = DataType, Name extends string = string>
  extends Omit<Series<Type, Name>, "toArray" | typeof Symbol.iterator> {
  /** The values; a missing one is null. */
  toArray(): ValueOf<Type>[];
  /** @ignore */
  toArray(): never;
  /**
   * The values, one after another, as `getIndex` gives them: of any type, because a Series of nodejs-polars yields neither
   * dates nor nulls and a column has to be one. `toArray` tells their type.
   */
  [Symbol.iterator](): IterableIterator<ReturnType<Series["getIndex"]>>;
}
