/** Marks the native object of a frame with synthetic numbers, so that displays can say so without a column. */
export const SYNTHETIC_MARK: unique symbol = Symbol.for("scoreframe.synthetic") as never;
