import type { DataFrame } from "nodejs-polars";
import { SESSION_COUNT } from "../cross_section/read_options.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import { type CalendarDate, isCalendarDate } from "../../base/contract/instant.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";
import { usualGap, valuedSessions } from "../dense/days.ts";
import { assertEverySession, isWeights, readWeights, toWeights, type Weights } from "./weights.ts";

const RULES: rules.OptionRules<NonNullable<Parameters<typeof positions>[1]>> = {
  holding: rules.needed(SESSION_COUNT, "5"),
  sessions: rules.severalOf(
    "dates of the form YYYY-MM-DD, as aligned.sessions has them",
    isCalendarDate,
  ),
  compat: COMPAT,
};
const ACTION = "hold positions";

/**
 * Positions if the weights of each session are held for several sessions: the mean of the weight vectors in force
 * (Jegadeesh and Titman 1993), so the exposure is full whether weights are set every session, every week or every
 * month. Their returns of one session do not overlap, so wealth, drawdown, Sharpe ratio and costs can be computed from
 * them.
 *
 * One row per session and stock that is held or has a weight: `session`, `ticker`, `weight`. Positions begin in the
 * first session with the full number of overlapping weight vectors: `holding` of them if there are weights in every
 * session. Positions that are held for less than the time to the next weights are closed in between, in rows with a
 * weight of 0. The last weights are held for one usual gap between weights, or for the holding period.
 *
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @returns The weights that are held, by session and ticker
 * @throws {RangeError} If the holding is not a positive whole number, or a frame lacks a session
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { positions } from "scoreframe/analysis";
 *
 * const weights = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-30"],
 *   ticker: ["A", "A"],
 *   weight: [1, 0.5],
 * });
 * const held = positions(weights, { holding: 2 }).data.getColumn("weight").toArray();
 * if (held.join() !== "0.75") throw new Error("the mean of two signals");
 * ```
 */
export function positions(weights: Weights | DataFrame, options: {
  /** Number of sessions for which each signal is held. */
  readonly holding: number;
  /** The sessions of the prices, for positions between those of a frame of weekly or monthly weights. @default the sessions of the weights; for a frame, those of its rows */
  readonly sessions?: readonly CalendarDate[];
  /** `"alphalens"`: sums scaled to a gross exposure of 1, from the first signal until the last has expired. @default none */
  readonly compat?: "alphalens";
}): Weights {
  rules.checkOptions("call positions()", options, RULES);
  const { overlap = "mean" } = presetOf("positions", options.compat);
  const read = readOn(weights, options.sessions);
  return overlap === "mean"
    ? meanOfLast(read, options.holding)
    : sumOfActive(read, options.holding);
}

function readOn(
  weights: Weights | DataFrame,
  sessions: NonNullable<Parameters<typeof positions>[1]>["sessions"],
): Weights {
  const isOwn = isWeights(weights);
  const read = readWeights(ACTION, weights, null);
  if (sessions === undefined) {
    if (!isOwn) {
      assertEverySession(
        ACTION,
        read.days,
        "name those of the prices: { sessions: aligned.sessions }",
      );
    }
    return read;
  }
  const days = Int32Array.from(new Set(sessions.map(toEpochDay))).sort();
  return readWeights(ACTION, isOwn ? (weights as Weights).data : weights, { ...read, days });
}

function meanOfLast(weights: Weights, holding: number): Weights {
  const { days, tickers, span } = weights;
  const width = tickers.length;
  const places = valuedSessions(weights.values, width, span);
  const gap = Math.min(holding, usualGap(places) ?? holding);
  const from = places[0] ?? span[0];
  const to = Math.min(days.length, (places.at(-1) ?? span[0] - 1) + gap);
  const start = Math.min(from + holding - gap, to);
  const values = sumOfLast(weights, holding, [start, to]);
  const signals = new Uint8Array(days.length);
  let before = -1;
  for (let d = start; d < to; d++) {
    const active = places.filter((place) => place <= d && place > d - holding);
    for (let cell = d * width; cell < (d + 1) * width; cell++) values[cell]! /= active.length || 1;
    if (active.length === 0) closeNames(values, d, width);
    // Positions change with a vector that comes, and with one that goes.
    const state = (active[0] ?? -1) * days.length + (active.at(-1) ?? -1);
    if (d === start || state !== before) signals[d] = 1;
    before = state;
  }
  return toWeights({ days, tickers, signals }, [start, to], values);
}

/** Marks the stocks of the session before as no longer held. */
function closeNames(values: Float64Array, session: number, width: number): void {
  if (session === 0) return;
  for (let cell = session * width; cell < (session + 1) * width; cell++) {
    if (!Number.isNaN(values[cell - width]!)) values[cell] = 0;
  }
}

function sumOfActive(weights: Weights, holding: number): Weights {
  const { span: [from, to], days, tickers } = weights;
  const width = tickers.length;
  const end = Math.min(to + holding, days.length);
  const sums = sumOfLast(weights, holding, [from, end]);
  for (let d = from; d < end; d++) {
    let gross = 0;
    for (let cell = d * width; cell < (d + 1) * width; cell++) gross += Math.abs(sums[cell]! || 0);
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      sums[cell] = gross === 0 ? 0 : (sums[cell]! || 0) / gross;
    }
  }
  return toWeights({ days, tickers }, [from, end], sums);
}

/** The sum of each stock's weights of the last sessions; NaN if it has none of them. */
function sumOfLast(
  { values, tickers }: Weights,
  holding: number,
  [start, end]: readonly [number, number],
): Float64Array {
  const width = tickers.length;
  const sums = new Float64Array(values.length).fill(NaN);
  for (let d = start; d < end; d++) {
    for (let lag = 0; lag < holding && lag <= d; lag++) {
      for (let name = 0; name < width; name++) {
        const weight = values[(d - lag) * width + name]!;
        const cell = d * width + name;
        if (weight === weight) sums[cell] = (sums[cell]! || 0) + weight;
      }
    }
  }
  return sums;
}
