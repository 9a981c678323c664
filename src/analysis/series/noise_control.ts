import { assertKnownOptions } from "../../arguments/check_options.ts";
import { randomSource } from "../inference/method/random_source.ts";

/** Which shifts a noise control makes. */
export interface NoiseOptions {
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

/** Means that scores show after all of them were moved together by a number of sessions. */
export interface NoiseControl {
  /** The shifts, ascending. */
  readonly shifts: Int32Array;
  /** The mean of each shift by horizon, in the order of the shifts; NaN where there is none. */
  readonly means: ReadonlyMap<number, Float64Array>;
}

/** The means of a shift by horizon; `null` where there is none. */
export type ShiftedMeans = (shift: number) => ReadonlyMap<number, number | null>;

/**
 * The shifts of a noise control: distinct numbers of sessions, at least a quarter of the sample away from 0 in the circle
 * of its sessions, drawn by a seed.
 *
 * @param sessions Number of sessions of the sample
 * @throws {RangeError} If a number is out of range
 */
export function noiseShifts(sessions: number, options: NoiseOptions = {}): Int32Array {
  assertKnownOptions("draw shifts", options, ["draws", "seed"]);
  const { draws = 199, seed = 1 } = options;
  for (const [name, value] of Object.entries({ sessions, draws, seed })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot draw shifts: ${name} is a whole number from 0 on, got ${value}`);
  }
  const least = Math.max(1, Math.ceil(sessions / 4));
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
 * Repeats a calculation with the scores of all names moved together by a number of sessions, in a circle. That keeps how
 * the scores persist and everything about the returns, and breaks the link between the two.
 *
 * The shifts are few and depend on each other, so where the real mean lies among theirs is a control and no p value.
 *
 * @param sessions Number of sessions of the sample
 * @param meansOf Repeats the calculation for a shift
 * @param options How many shifts, and which
 *
 * @example Usage
 * ```ts
 * import { noiseControl } from "scoreframe/analysis";
 *
 * const { shifts, means } = noiseControl(400, (shift) => new Map([[1, Math.sin(shift)]]));
 * console.assert(shifts.length === 199 && means.get(1)!.length === 199);
 * console.assert(shifts.every((shift) => shift >= 100 && shift <= 300));
 * ```
 */
export function noiseControl(
  sessions: number,
  meansOf: ShiftedMeans,
  options: NoiseOptions = {},
): NoiseControl {
  const shifts = noiseShifts(sessions, options);
  return collectNoise(shifts, Array.from(shifts, (shift) => meansOf(shift)));
}

/** Puts the means of all shifts together by horizon. */
export function collectNoise(
  shifts: Int32Array,
  found: readonly ReadonlyMap<number, number | null>[],
): NoiseControl {
  const horizons = new Set(found.flatMap((means) => [...means.keys()]));
  const means = new Map(
    [...horizons].map((horizon) => [
      horizon,
      Float64Array.from(found, (one) => one.get(horizon) ?? NaN),
    ]),
  );
  return { shifts, means };
}
