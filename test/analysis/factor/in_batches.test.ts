import { describe, expect, test } from "vitest";
import { align, forwardReturns, informationCoefficient } from "../../../src/analysis/mod.ts";
import { inBatches } from "../../../src/analysis/factor/in_batches.ts";
import { makeMarket } from "../../helpers/market.ts";

const { scores, prices } = makeMarket(60, (next, noise) => noise < 0.1 ? null : next + noise / 50);
const aligned = align(scores, forwardReturns(prices, { periods: [1, 5] }));
const { dense } = aligned;
const walk = { signal: new AbortController().signal, update: () => {} };
const small = { note: "batches", cells: 7 * dense.tickers.length };

describe("a calculation in batches of sessions", () => {
  test.each([
    ["correlations", small, {}],
    ["the one-session form, which looks back", { ...small, before: 4 }, { form: "oneSession" }],
    ["lags, which look ahead", { ...small, atLeast: 10 }, { lags: [1, 2, 5] }],
  ])("gives what the whole gives: %s", async (_, batches, options) => {
    const compute = (part: Parameters<typeof informationCoefficient>[0]) =>
      informationCoefficient(part, options as object);
    const found = await inBatches(walk, dense, batches, compute);
    expect(found.toRecords()).toEqual(compute(aligned).toRecords());
  });

  test("takes a step for each batch, and none after a stop", async () => {
    const stop = new AbortController();
    const spans: (readonly [number, number])[] = [];
    const compute = (part: { dense: typeof dense }) => {
      spans.push([part.dense.from, part.dense.to]);
      if (spans.length === 3) stop.abort(new DOMException("enough", "AbortError"));
      return informationCoefficient(part);
    };
    const running = inBatches({ ...walk, signal: stop.signal }, dense, small, compute);
    await expect(running).rejects.toThrow("enough");
    const { from } = dense;
    expect(spans).toEqual([[from, from + 7], [from + 7, from + 14], [from + 14, from + 21]]);
  });

  test("of no session is a frame without rows", async () => {
    const none = { ...dense, from: 0, to: 0 };
    const found = await inBatches(walk, none, small, (part) => informationCoefficient(part));
    expect(found.height).toBe(0);
  });
});
