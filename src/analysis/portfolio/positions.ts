import type { DataFrame } from "nodejs-polars";
import { checkOptions, oneOf, type OptionRules, valueLike } from "../../arguments/check_options.ts";
import { describe } from "../../contract/violation.ts";
import { sayCompat } from "../alphalens/say_compat.ts";
import { readWeights, toWeights, type Weights } from "./weights.ts";

/** For how long each signal is held. */
export interface PositionsOptions {
  /** For how many sessions. */
  readonly holding: number;
  /** `"alphalens"`: sums scaled to a gross exposure of 1, from the first signal until the last has expired. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<PositionsOptions> = {
  holding: valueLike("5"),
  compat: oneOf("alphalens"),
};
const ACTION = "hold positions";

/**
 * What is held when each session's weights are held for some sessions: the mean of the last weight vectors (Jegadeesh
 * and Titman 1993). Their returns of one session do not overlap, so that wealth, drawdown, Sharpe ratio and costs can be
 * made from them.
 *
 * One row a session and name that is held or was weighed: `session`, `ticker`, `weight`. The first sessions, until there are as many
 * weight vectors as sessions of holding, have none.
 *
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @throws {RangeError} If the holding is no positive whole number
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
export function positions(weights: Weights | DataFrame, options: PositionsOptions): Weights {
  checkOptions("positions()", options, RULES);
  const { holding, compat } = options;
  sayCompat(
    compat,
    "positions(): sums of signals scaled to a gross exposure of 1, until the last has expired",
  );
  if (!Number.isInteger(holding) || holding < 1) {
    throw new RangeError(
      `Cannot ${ACTION}: a whole number of sessions from 1 is required as holding, got ` +
        describe(holding),
    );
  }
  const read = readWeights(ACTION, weights, null);
  return compat === undefined ? meanOfLast(read, holding) : sumOfActive(read, holding);
}

function meanOfLast(weights: Weights, holding: number): Weights {
  const { span: [from, to] } = weights;
  const start = Math.min(from + holding - 1, to);
  const sums = sumOfLast(weights, holding, [start, to]);
  return toWeights(weights, [start, to], sums.map((sum) => sum / holding));
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
  return toWeights(weights, [from, end], sums);
}

/** The sum of each name's weights of the last sessions; NaN if it has none of them. */
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
