/** Marks the native object behind a frame of a study that holds sessions out. */
export const HELD_OUT_MARK: unique symbol = Symbol.for("scoreframe.held_out") as never;
