import type { SessionSeries } from "../series/session_series.ts";

/** What a test on a mean reads of a series. */
export type MeanSeries = Pick<SessionSeries, "values" | "places" | "horizon">;

/** The values of a series without its nulls, and how far their windows overlap. */
export interface Observations {
  /** The values, oldest first. */
  readonly values: Float64Array;
  /** Place of each value among the sessions of the prices. */
  readonly places: Int32Array;
  /** How many sessions the window of a value spans. */
  readonly horizon: number;
  /** One more than the largest number of later values that begin before a value's window ends. */
  readonly overlap: number;
}

/** Takes the nulls out of a series and counts the overlap of what is left. */
export function toObservations(series: MeanSeries): Observations {
  const kept: number[] = [];
  for (let i = 0; i < series.values.length; i++) {
    if (!Number.isNaN(series.values[i]!)) kept.push(i);
  }
  const values = Float64Array.from(kept, (i) => series.values[i]!);
  const places = Int32Array.from(kept, (i) => series.places[i]!);
  return { values, places, horizon: series.horizon, overlap: countOverlap(places, series.horizon) };
}

/**
 * One more than the largest number of later places before the end of a window: `horizon` for daily values, 1 for
 * values that are `horizon` sessions apart.
 */
export function countOverlap(places: Int32Array, horizon: number): number {
  let largest = 1;
  let end = 0;
  for (let i = 0; i < places.length; i++) {
    while (end < places.length && places[end]! < places[i]! + horizon) end++;
    largest = Math.max(largest, end - i);
  }
  return largest;
}
