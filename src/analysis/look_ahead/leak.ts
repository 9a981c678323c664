import type { OutputDifference } from "./compare_up_to.ts";
import type { Cut } from "./change_future.ts";

/** Kind that a leak looks like. */
export type LeakKind =
  | "sessions_ahead"
  | "whole_sample"
  | "back_fill"
  | "survivors"
  | "future_calendar"
  | "restated"
  | "unknown";

/** A kind of leak, with the sessions that it reaches ahead. */
export interface Leak {
  readonly kind: LeakKind;
  /** Sessions ahead of those that are read; `null` if there is no fixed number. */
  readonly sessions: number | null;
}

/** A run with a change after its cut, and its output. */
export interface ComparedRun {
  readonly cut: Cut;
  /** `null` if the signal gave nothing that can be compared. */
  readonly difference: OutputDifference | null;
  /** Message of what the signal threw; `null` if it threw nothing. */
  readonly error: string | null;
}
