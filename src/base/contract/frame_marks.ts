/** Marks the native object of a frame of a study with a hold-out. */
export const HELD_OUT_MARK: unique symbol = Symbol.for("scoreframe.held_out") as never;

/** Mark of a frame whose scores a function of the library computed from others, such as residuals. */
export const COMPUTED_MARK: unique symbol = Symbol.for("scoreframe.computed") as never;

/** Marks the native object of a frame with synthetic numbers, so that displays can say so without a column. */
export const SYNTHETIC_MARK: unique symbol = Symbol.for("scoreframe.synthetic") as never;
