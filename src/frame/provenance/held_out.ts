import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { HELD_OUT_MARK } from "../../contract/held_out_mark.ts";
import { type CalendarDate, isCalendarDate } from "../../contract/instant.ts";
import { markOf, setMark } from "./lineage.ts";

/** The hold-out of a study: sessions that no choice shall use before its registered tests were run on them. */
export interface HeldOut {
  /** First date that is held out. */
  readonly from: CalendarDate;
  /** Number of its sessions that closed by the study's time. */
  readonly sessions: number;
  /** Number of runs of registered tests on it. */
  readonly looks: number;
  /** `true` once this study opened it: its sessions are no longer left out. */
  readonly isOpen: boolean;
}

/** Marks a frame of a study that has a hold-out, and every frame that is derived from it. */
export function markHeldOut<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  heldOut: HeldOut | null,
): Frame {
  return heldOut === null ? frame : setMark(frame, HELD_OUT_MARK, heldOut);
}

/** The hold-out of the study that a frame comes from; `null` if it has none. */
export function heldOutOf(frame: DataFrame | LazyDataFrame): HeldOut | null {
  return (markOf(frame, HELD_OUT_MARK) as HeldOut | undefined) ?? null;
}

/** Tests if a value that was read from a file is a hold-out. */
export function isHeldOut(value: unknown): value is HeldOut {
  if (typeof value !== "object" || value === null) return false;
  const { from, sessions, looks, isOpen } = value as { readonly [Name in keyof HeldOut]?: unknown };
  return isCalendarDate(from) && isCount(sessions) && isCount(looks) && typeof isOpen === "boolean";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Rows whose `date` is before a date. */
export function rowsBefore<Frame extends DataFrame | LazyDataFrame>(
  frame: Frame,
  from: CalendarDate,
): Frame {
  return frame.filter(pl.col("date").lt(dayLit(from))) as Frame;
}

/** A date as Polars compares it. */
export function dayLit(day: CalendarDate): ReturnType<typeof pl.lit> {
  return pl.lit(new Date(`${day}T00:00:00Z`)).cast(pl.Date);
}
