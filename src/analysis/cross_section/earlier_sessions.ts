import type { DataFrame } from "nodejs-polars";
import { oneOf, type Rule } from "../../base/arguments/check_options.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { usualGap, valuedSessions } from "../dense/days.ts";

/** The earlier session that the scores of a session are compared with. */
export interface EarlierOptions {
  /** Number of sessions, or of signals, back. @default 1 */
  readonly period?: number;
  /**
   * `sessions`: with the session so many back. `signals`: with the session so many back among those that have scores.
   *
   * @default "signals" for scores that usually skip sessions (Fridays, months) without a period, "sessions" otherwise
   */
  readonly compare?: "sessions" | "signals";
}

/** The rule of the option `compare`. */
export const COMPARE: Rule<"sessions" | "signals"> = oneOf("sessions", "signals");

/**
 * The session that each session from the first to the last is compared with; −1 for none.
 *
 * @throws {RangeError} If the period is not a positive whole number
 */
export function earlierSessions(
  dense: DenseScores,
  { period: asked, compare }: EarlierOptions,
): Int32Array {
  const { from, to } = dense;
  const period = asked ?? 1;
  const places = valuedSessions(dense.scores, dense.tickers.length, [from, to]);
  const isUsual = asked === undefined && areSparse(dense, places);
  const earlier = new Int32Array(to - from).fill(-1);
  if ((compare ?? (isUsual ? "signals" : "sessions")) === "sessions") {
    return earlier.map((_, i) => i < period ? -1 : from + i - period);
  }
  for (const [i, place] of places.entries()) earlier[place - from] = places[i - period] ?? -1;
  return earlier;
}

function areSparse({ signals = null }: DenseScores, places: readonly number[]): boolean {
  // A set that is in force until another one is has scores in each session.
  return signals === null && (usualGap(places) ?? 1) > 1;
}

/** Step between the scores that a table of rank autocorrelation compares: neighbouring signals where its correlations usually skip sessions. */
export function comparedStep(autocorrelation: DataFrame): "session" | "signal" {
  const values = autocorrelation.getColumn("autocorrelation").toArray() as (number | null)[];
  const places = [...values.keys()].filter((place) => values[place] !== null);
  return (usualGap(places) ?? 1) > 1 ? "signal" : "session";
}
