import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  doubleSort,
  factorCoverage,
  forwardReturns,
  quantileSpread,
  quantize,
} from "../../../src/analysis/mod.ts";
import { shownBundle } from "../../helpers/shown_bundle.ts";

const cells = Array.from({ length: 36 }, (_, i) => ({ day: Math.floor(i / 6), name: i % 6 }));
const date = cells.map(({ day }) =>
  `2026-01-${String(5 + day + (day > 4 ? 2 : 0)).padStart(2, "0")}`
);
const ticker = cells.map(({ name }) => `T${name}`);
const prices = pl.DataFrame({ date, ticker, close: cells.map(({ day, name }) => 10 + day * name) });
const scores = pl.DataFrame({ date, ticker, score: cells.map(({ name }) => name < 3 ? 0 : name) });
const returns = forwardReturns(prices, { periods: [1, 5] });
const aligned = align(scores, returns);
const quantized = quantize(aligned, { quantiles: 2 });
const sized = aligned.data.withColumns(pl.col("return_1").alias("size"));

const results: readonly (readonly [string, { toString(): string }, string])[] = [
  [
    "ForwardReturns",
    returns,
    "6 sessions, 2026-01-05 to 2026-01-12, 6 tickers.\n" +
    "At 1 session, 30 returns are whole, 0 end early, at a last close, 6 are missing.\n" +
    "At 5 sessions, 6 returns are whole, 0 end early, at a last close, 30 are missing.",
  ],
  ["Aligned", aligned, "36 score rows: at 1 session, 12 need later prices"],
  [
    "Quantized",
    quantized,
    "2 quantiles in 5 sessions, with 3.0 and 3.0 stocks on average from the lowest to the highest. " +
    "Ties keep 0.0% of stocks out of quantiles of equal size.",
  ],
  [
    "QuantileSpread",
    quantileSpread(quantized),
    "Quantile spread: 100% long quantile 2 and 100% short quantile 1, a gross exposure of 200%.",
  ],
  [
    "FactorCoverage",
    factorCoverage(aligned),
    "5 sessions with 6.0 rows and 6.0 scores on average; 0 gaps in which a stock has rows but no score.",
  ],
  [
    "DoubleSort",
    doubleSort(sized, { first: "size", quantiles: [2, 2] }),
    "Stocks by size, then score independently: 2 × 2.",
  ],
];

describe.each(results)("%s", (_, result, sentences) => {
  test("displays itself: its sentences, then its frames", async () => {
    expect(String(result)).toContain(sentences);
    expect(Deno.inspect(result)).toBe(String(result));
    const bundle = await shownBundle(result);
    expect(bundle["text/plain"]).toBe(String(result));
    expect(String(bundle["text/html"])).toContain('<table class="dataframe"');
  });
});

test("a loss report displays its sentences and its table", async () => {
  const { loss } = aligned;
  expect(String(loss)).toMatch(/^36 rows|^\d/);
  const bundle = await shownBundle(loss);
  expect(String(bundle["text/plain"])).toMatch(/\n\nloss\n\d+ rows × 9 columns/);
});
