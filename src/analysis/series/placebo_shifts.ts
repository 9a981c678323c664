import { checkOption, checkOptions, whole } from "../../base/arguments/check_options.ts";
import { randomSource } from "../inference/method/stationary_bootstrap.ts";

/** Shifts of a placebo. */
export interface PlaceboOptions {
  /**
   * Number of shifts, if there are so many.
   *
   * @default 199
   */
  readonly draws?: number;
  /**
   * Seed of the shifts.
   *
   * @default 1
   */
  readonly seed?: number;
}

/** Means of scores that are all shifted by a number of sessions. */
export interface PlaceboShifts {
  /** The shifts, ascending. */
  readonly shifts: Int32Array;
  /** The mean of each shift by horizon, in the order of the shifts; NaN where there is none. Empty if they are withheld. */
  readonly means: ReadonlyMap<number, Float64Array>;
  /**
   * Similarity of a shifted copy and the scores themselves; above 0.2 the means are withheld.
   *
   * @default not measured
   */
  readonly persistence?: {
    /** The least shift: a quarter of the sample, in sessions. */
    readonly shift: number;
    /** The mean rank autocorrelation of the scores at that shift; `null` if no session has one. */
    readonly rankAutocorrelation: number | null;
  };
}

/** Similarity of scores and their copy after the least shift. */
export type Persistence = NonNullable<PlaceboShifts["persistence"]>;

const MOST_AUTOCORRELATION = 0.2;

/** Smallest shift, in sessions: a quarter of the sample. */
export function leastShift(sessions: number): number {
  return Math.max(1, Math.ceil(sessions / 4));
}

/** True if scores are too persistent for a shifted copy to be a placebo. */
export function isWithheld(persistence: Persistence | undefined): boolean {
  return Math.abs(persistence?.rankAutocorrelation ?? 0) > MOST_AUTOCORRELATION;
}

/**
 * Shifts of a placebo: distinct numbers of sessions, at least a quarter of the sample away from 0 in the circle of its
 * sessions, drawn by a seed.
 *
 * @param sessions Number of sessions of the sample
 * @throws {RangeError} If a number is out of range
 */
export function drawShifts(sessions: number, options: PlaceboOptions = {}): Int32Array {
  checkOptions("draw shifts", options, { draws: whole(0), seed: whole(0) });
  const { draws = 199, seed = 1 } = options;
  checkOption("draw shifts", "sessions", sessions, whole(0));
  const least = leastShift(sessions);
  const shifts = Int32Array.from(
    { length: Math.max(0, sessions - 2 * least + 1) },
    (_, i) => least + i,
  );
  const random = randomSource(seed);
  const count = Math.min(draws, shifts.length);
  // Fisher and Yates, as far as it is needed.
  for (let i = 0; i < count; i++) {
    const j = i + random.below(shifts.length - i);
    [shifts[i], shifts[j]] = [shifts[j]!, shifts[i]!];
  }
  return shifts.slice(0, count).sort();
}
