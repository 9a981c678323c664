import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { HELD_OUT_MARK } from "../../../base/contract/frame_marks.ts";
import type { CalendarDate } from "../../../base/contract/instant.ts";
import { markOf, setMark } from "./lineage.ts";

/** Hold-out of a study: sessions that must not be used before its registered tests have been run on them. */
export interface HeldOut {
  /** First held-out date. */
  readonly from: CalendarDate;
  /** Number of its sessions that closed by the study's time. */
  readonly sessions: number;
  /** Number of runs of registered tests on it. */
  readonly looks: number;
  /** `true` once this study has opened it, so that its sessions are no longer omitted. */
  readonly isOpen: boolean;
}

/** Marks a frame of a study with a hold-out, and every frame derived from it. */
export function markHeldOut<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  heldOut: HeldOut | null,
): Frame {
  return heldOut === null ? frame : setMark(frame, HELD_OUT_MARK, heldOut);
}

/** Hold-out of a frame's study; `null` if it has none. */
export function heldOutOf(frame: DataFrame | LazyDataFrame): HeldOut | null {
  return (markOf(frame, HELD_OUT_MARK) as HeldOut | undefined) ?? null;
}

/** Rows with a `date` before a given date. */
export function rowsBefore<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  from: CalendarDate,
): Frame {
  return frame.filter(pl.col("date").lt(dayLit(from))) as Frame;
}

/** A date as a Polars literal. */
export function dayLit(day: CalendarDate): ReturnType<typeof pl.lit> {
  return pl.lit(new Date(`${day}T00:00:00Z`)).cast(pl.Date);
}
