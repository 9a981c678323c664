import type { SessionSeries } from "./session_series.ts";

/** Part of a series that a test of its mean requires. */
export type MeanSeries = Pick<SessionSeries, "values" | "places" | "horizon">;

/** Values of a series without nulls, and the overlap of their windows. */
export interface Observations {
  /** The values, oldest first. */
  readonly values: Float64Array;
  /** Place of each value among the sessions of the prices. */
  readonly places: Int32Array;
  /** Number of sessions that the window of a value spans. */
  readonly horizon: number;
  /** Maximum number of later windows that begin before a window ends, plus one. */
  readonly overlap: number;
}

/** Removes the nulls of a series and counts the overlap of the remaining windows. */
export function toObservations(series: MeanSeries): Observations {
  const all = series.values.length;
  const [values, places] = [new Float64Array(all), new Int32Array(all)];
  let n = 0;
  for (let i = 0; i < all; i++) {
    const value = series.values[i]!;
    if (value !== value) continue;
    values[n] = value;
    places[n++] = series.places[i]!;
  }
  const { horizon } = series;
  const own = places.slice(0, n);
  return { values: values.slice(0, n), places: own, horizon, overlap: countOverlap(own, horizon) };
}

/**
 * Maximum number of later windows that begin before a window ends, plus one: `horizon` for daily values, 1 for values that
 * are `horizon` sessions apart.
 */
function countOverlap(places: Int32Array, horizon: number): number {
  let largest = 1;
  let end = 0;
  for (let i = 0; i < places.length; i++) {
    while (end < places.length && places[end]! < places[i]! + horizon) end++;
    largest = Math.max(largest, end - i);
  }
  return largest;
}
