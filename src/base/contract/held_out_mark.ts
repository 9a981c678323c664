/** Marks the native object of a frame of a study with a hold-out. */
export const HELD_OUT_MARK: unique symbol = Symbol.for("scoreframe.held_out") as never;
