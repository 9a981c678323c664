/** Marks the native object behind a frame whose numbers are synthetic, so that a display can say so without a column. */
export const SYNTHETIC_MARK: unique symbol = Symbol.for("scoreframe.synthetic") as never;
