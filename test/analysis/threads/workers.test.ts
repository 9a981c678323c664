import { expect, test } from "vitest";
import {
  align,
  type AlignOptions,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantileSpread,
  quantileTurnover,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { smallMarket } from "../_frames.ts";

// Wide enough to be cut into chunks.
const market = smallMarket(3, 500, 280);
const returns = forwardReturns(market.prices, { periods: [1, 5] });

function tables(options: AlignOptions) {
  const aligned = align(market.scores, returns, options);
  const quantized = quantize(aligned);
  return [
    aligned.data,
    informationCoefficient(aligned),
    informationCoefficient(aligned, { form: "oneSession" }),
    informationCoefficient(aligned, { lags: [1, 3, 10] }),
    informationCoefficient(aligned, { by: "age" }),
    quantize(aligned, { quantiles: [0, 0.2, 0.9, 1], ties: "first" }).data,
    quantized.data,
    meanReturnByQuantile(quantized, { bySession: true }),
    quantileSpread(quantized).data,
    quantileTurnover(quantized),
    rankAutocorrelation(aligned),
  ];
}

test("workers change no bit of any table", () => {
  const [shared, own] = [tables({ workers: true }), tables({ workers: false })];
  expect(shared.map((table, i) => table.frameEqual(own[i]!, true))).toEqual(own.map(() => true));
  expect(own.map(({ height }) => height > 0)).toEqual(own.map(() => true));
});

test("align() shares memory with workers only where it is told to, or where it is worth it", () => {
  const isShared = (options: AlignOptions) => {
    const { dense } = align(market.scores, returns, options);
    return [dense.scores, ...dense.returns.values()].map(({ buffer }) =>
      buffer instanceof SharedArrayBuffer
    );
  };
  expect(isShared({})).toEqual([false, false, false]);
  expect(isShared({ workers: false })).toEqual([false, false, false]);
  expect(isShared({ workers: true })).toEqual([true, true, true]);
});
