import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  coverage,
  doubleSort,
  forwardReturns,
  quantileSpread,
  quantize,
} from "../../../src/analysis/mod.ts";
import type { DisplayMethods } from "../../../src/analysis/table/display_parts.ts";
import { DISPLAY } from "../../../src/notebook/display.ts";

const cells = Array.from({ length: 36 }, (_, i) => ({ day: Math.floor(i / 6), name: i % 6 }));
const date = cells.map(({ day }) => `2026-01-${String(5 + day).padStart(2, "0")}`);
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
    "6 sessions, 2026-01-05 to 2026-01-10, 6 tickers.\n" +
    "1 session: 30 returns, 0 to a last close, 6 without.\n" +
    "5 sessions: 6 returns, 0 to a last close, 30 without.\n" +
    "1 note on the prices: see notes.",
  ],
  ["Aligned", aligned, "36 rows: at 1 session 12 need later prices"],
  [
    "Quantized",
    quantized,
    "2 buckets in 5 sessions; mean number of names from the lowest: 3.0, 3.0. " +
    "Ties keep 0.0 % of names out of buckets of equal size.",
  ],
  [
    "QuantileSpread",
    quantileSpread(quantized),
    "Top minus bottom, 100 % long in bucket 2 and 100 % short in bucket 1: a gross exposure of 200 %.",
  ],
  [
    "FactorCoverage",
    coverage(aligned),
    "5 sessions, 6.0 rows and 6.0 scores a session; 0 runs without a score.",
  ],
  [
    "DoubleSort",
    doubleSort(sized, { first: "size", quantiles: [2, 2] }),
    "Names by size, then score independently: 2 × 2.",
  ],
];

describe.each(results)("%s", (_, result, sentences) => {
  test("displays itself: its sentences, then its frames", async () => {
    expect(String(result)).toContain(sentences);
    expect(Deno.inspect(result)).toBe(String(result));
    const bundle = await (result as DisplayMethods)[DISPLAY]();
    expect(bundle["text/plain"]).toBe(String(result));
    expect(String(bundle["text/html"])).toContain('<table class="dataframe"');
  });
});

test("a loss report displays its sentences and its table", async () => {
  const { loss } = aligned;
  expect(String(loss)).toMatch(/^36 rows|^\d/);
  const bundle = await (loss as unknown as DisplayMethods)[DISPLAY]();
  expect(String(bundle["text/plain"])).toMatch(/\n\nloss\n\d+ rows × 9 columns/);
});
