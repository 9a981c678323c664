import { checkOption, checkOptions, whole } from "../../base/arguments/check_options.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";
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

/**
 * The means of a shift by horizon; `null` where there is none.
 *
 * @internal
 */
export type ShiftedMeans = (shift: number) => ReadonlyMap<number, number | null>;

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

/**
 * Repeats a calculation with the scores of all stocks shifted together by a number of sessions, circularly: a placebo. The persistence of the scores and all properties of the returns stay; the link between the two is broken.
 *
 * It illustrates and does not test: the shifts are few and dependent, and the link is broken only for scores that are neither computed from prices nor permanent. Uninformative scores of −log price lie beyond all of 199 placebos in nine of ten samples. {@link permutationTest} is the test.
 *
 * @param sessions Number of sessions of the sample
 * @param meansOf Repeats the calculation for a shift
 * @param options Number of shifts, and their seed
 * @throws {TypeError} If `meansOf` is not a function, or an option is unknown
 * @throws {RangeError} If a number is out of range
 * @returns The mean of each shift by horizon (`means`), and the sessions of each shift (`shifts`)
 *
 * @example Usage
 * ```ts
 * import { placeboShifts } from "scoreframe/analysis";
 *
 * const { shifts, means } = placeboShifts(400, (shift) => new Map([[1, Math.sin(shift)]]));
 * console.assert(shifts.length === 199 && means.get(1)!.length === 199);
 * console.assert(shifts.every((shift) => shift >= 100 && shift <= 300));
 * ```
 */
export function placeboShifts(
  sessions: number,
  meansOf: ShiftedMeans,
  options: PlaceboOptions = {},
): PlaceboShifts {
  if (typeof meansOf !== "function") {
    throw wrongKind("repeat a calculation with shifted scores", meansOf, {
      expected: "a function of the shift",
      advice: "it gives a Map of the mean by horizon, such as (shift) => new Map([[1, 0.01]])",
    });
  }
  const shifts = drawShifts(sessions, options);
  return collectShifts(shifts, Array.from(shifts, (shift) => meansOf(shift)));
}

/** Collects the means of all shifts by horizon. */
function collectShifts(
  shifts: Int32Array,
  found: readonly ReadonlyMap<number, number | null>[],
): PlaceboShifts {
  const stray = found.find((means) => !(means instanceof Map));
  if (stray !== undefined) {
    throw wrongKind("repeat a calculation with shifted scores", stray, {
      expected: "a Map of the mean by horizon for each shift",
      advice: "return one, such as new Map([[1, 0.01]])",
    });
  }
  const horizons = new Set(found.flatMap((means) => [...means.keys()]));
  const means = new Map(
    [...horizons].map((horizon) => [
      horizon,
      Float64Array.from(found, (one) => one.get(horizon) ?? NaN),
    ]),
  );
  return { shifts, means };
}
