import { describe, expect, test } from "vitest";
import { TruthMeter } from "../../../src/server/world/truth.ts";

const SCORES = Int32Array.of(0, 0, 1_000_000, 1_000_000);
const returns = (expected: number[], isPriced = [1, 1, 1, 1]) => ({
  expected: Float64Array.from(expected),
  volatility: Float64Array.of(0.01, 0.01, 0.01, 0.01),
  isPriced: Uint8Array.from(isPriced),
});
// Scores have the variance 0.25, expected returns 0.0001, the noise 0.0001, and the two covary by 0.005:
// 0.005 / sqrt(0.25 * 0.0002).
const MOVED = returns([0, 0, 0.02, 0.02]);
const IC = 0.707107;

describe("TruthMeter", () => {
  test("gives the correlation that the expected returns make, with the noise in the variance", () => {
    const meter = new TruthMeter(4);
    meter.addScores(SCORES);
    meter.addReturns(MOVED);
    expect(meter.coefficients()).toEqual([{ lagSessions: 1, meanIc: IC }]);
  });

  test("leaves out companies without a score or a return", () => {
    const meter = new TruthMeter(6);
    meter.addScores(Int32Array.of(...SCORES, -1, 500_000));
    meter.addReturns({
      expected: Float64Array.of(0, 0, 0.02, 0.02, 9, 9),
      volatility: Float64Array.of(0.01, 0.01, 0.01, 0.01, 9, 9),
      isPriced: Uint8Array.of(1, 1, 1, 1, 1, 0),
    });
    expect(meter.coefficients()).toEqual([{ lagSessions: 1, meanIc: IC }]);
  });

  test("takes the mean over sessions, and the scores of as many sessions before as the lag says", () => {
    const meter = new TruthMeter(4);
    const flat = returns([0, 0, 0, 0]);
    // The scores of the first session are turned round: only lag 5 meets them.
    meter.addScores(SCORES.toReversed());
    for (let session = 0; session < 4; session++) {
      meter.addReturns(flat);
      meter.addScores(SCORES);
    }
    meter.addReturns(MOVED);
    expect(meter.coefficients()).toEqual([
      { lagSessions: 1, meanIc: 0.141421 },
      { lagSessions: 5, meanIc: -IC },
    ]);
  });

  test("counts no session of fewer than three companies, or of equal scores", () => {
    const meter = new TruthMeter(4);
    meter.addScores(SCORES);
    meter.addReturns(returns([0, 0, 0.02, 0.02], [1, 0, 1, 0]));
    meter.addScores(new Int32Array(4).fill(500_000));
    meter.addReturns(MOVED);
    expect(meter.coefficients()).toEqual([]);
  });
});
