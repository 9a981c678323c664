import type { SessionSeries } from "./session_series.ts";

/** Values of a series for a test on their mean. */
export type MeanSeries = Pick<SessionSeries, "values" | "places" | "horizon">;

/** The values of a series without its nulls, and how far their windows overlap. */
export interface Observations {
  /** The values, oldest first. */
  readonly values: Float64Array;
  /** Place of each value among the sessions of the prices. */
  readonly places: Int32Array;
  /** Number of sessions that the window of a value spans. */
  readonly horizon: number;
  /** One more than the largest number of later values that begin before a value's window ends. */
  readonly overlap: number;
}

/** Takes the nulls out of a series and counts the overlap of what is left. */
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
  return observationsOf(values.slice(0, n), places.slice(0, n), series.horizon);
}

function observationsOf(values: Float64Array, places: Int32Array, horizon: number): Observations {
  return { values, places, horizon, overlap: countOverlap(places, horizon) };
}

/**
 * One more than the largest number of later places before the end of a window: `horizon` for daily values, 1 for
 * values that are `horizon` sessions apart.
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
