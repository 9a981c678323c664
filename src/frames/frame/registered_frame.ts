import type { ColumnsOf } from "./typed/columns.ts";
import { frameOfObjects } from "./typed/frame_of.ts";
import type { TypedFrame } from "./typed/typed_frame.ts";

const COLUMNS = {
  sample: "text",
  horizon: "count",
  sessions: "count",
  mean_ic: "number",
  low: "number",
  high: "number",
  p: "number",
} as const;

/**
 * Columns of the result of a registered test.
 *
 * @internal
 */
export type RegisteredColumns = ColumnsOf<typeof COLUMNS>;

/** A number of a registered test. */
export interface RegisteredNumber {
  /** Name of a period of the plan, or `hold-out`. */
  readonly sample: string;
  /** Horizon in sessions. */
  readonly horizon: number;
  /** Number of sessions with an IC. */
  readonly sessions: number;
  /** Mean rank IC; `null` if there is none. */
  readonly meanIc: number | null;
  /** Lower end of its 95% confidence interval. */
  readonly low: number | null;
  /** Upper end of its 95% confidence interval. */
  readonly high: number | null;
  /** Two-sided p value. */
  readonly p: number | null;
}

/** The frame of a registered test's result: one row per sample and horizon, in-sample ones first. */
export function toRegisteredFrame(
  rows: readonly RegisteredNumber[],
): TypedFrame<RegisteredColumns> {
  return frameOfObjects(rows, COLUMNS, {});
}
