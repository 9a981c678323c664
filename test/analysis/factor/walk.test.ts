import { describe, expect, test } from "vitest";
import { align, forwardReturns, informationCoefficient } from "../../../src/analysis/mod.ts";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { inBatches, takeSteps, wholeWalk } from "../../../src/analysis/factor/session_tables.ts";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import type { ProgressState } from "../../../src/frames/notebook/kernel/progress.ts";
import { makeMarket } from "../../helpers/market.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES } from "../../helpers/sample_analysis.ts";

test("steps are taken in their order, and each is told", async () => {
  const told: unknown[] = [];
  const walk = {
    signal: new AbortController().signal,
    update: (...state: readonly unknown[]) => told.push(state),
  };
  expect(await takeSteps(walk, "counting", [() => 1, () => "two"])).toEqual([1, "two"]);
  expect(told).toEqual([[1, 2, "counting"], [2, 2, "counting"]]);
});

test("a stop between two steps is seen before the next one", async () => {
  const stop = new AbortController();
  const taken: number[] = [];
  const steps = [1, 2, 3].map((number) => () => {
    taken.push(number);
    // As a button does that is pressed while a step runs.
    if (number === 2) stop.abort();
  });
  const walk = { signal: stop.signal, update: () => {} };
  await expect(takeSteps(walk, "counting", steps)).rejects.toThrow();
  expect(taken).toEqual([1, 2]);
});

const { scores, prices } = makeMarket(60, (next, noise) => noise < 0.1 ? null : next + noise / 50);
const aligned = align(scores, forwardReturns(prices, { periods: [1, 5] }));
const { dense } = aligned;
const walk = { signal: new AbortController().signal, update: () => {} };
const small = { cells: 7 * dense.tickers.length };

describe("a calculation in batches of sessions", () => {
  test.each([
    ["correlations", small, {}],
    ["the one-session form, which looks back", { ...small, before: 4 }, { form: "oneSession" }],
    ["lags, which look ahead", { ...small, atLeast: 10 }, { lags: [1, 2, 5] }],
  ])("gives what the whole gives: %s", async (_, batches, options) => {
    const compute = (part: Parameters<typeof informationCoefficient>[0]) =>
      informationCoefficient(part, options as object);
    const found = await inBatches(walk, dense, "batches", compute, batches);
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
    const running = inBatches({ ...walk, signal: stop.signal }, dense, "batches", compute, small);
    await expect(running).rejects.toThrow("enough");
    const { from } = dense;
    expect(spans).toEqual([[from, from + 7], [from + 7, from + 14], [from + 14, from + 21]]);
  });

  test("of no session is a frame without rows", async () => {
    const none = { ...dense, from: 0, to: 0 };
    const found = await inBatches(
      walk,
      none,
      "batches",
      (part) => informationCoefficient(part),
      small,
    );
    expect(found.height).toBe(0);
  });
});

/** A bar that notes what it is told. */
function notedBar() {
  const states: ProgressState[] = [];
  return {
    states,
    update: (state: ProgressState) => void states.push(state),
    finish: () => Promise.resolve(),
  };
}

test("the bar of an analysis begins empty and only grows, whatever its parts count", async () => {
  const bar = notedBar();
  const walk = wholeWalk(bar, new AbortController().signal);
  const step = () => 1;
  await takeSteps(walk, "returns", [step]);
  await takeSteps(walk, "sorting", [step, step]);
  await takeSteps(walk, "buckets", [step]);
  await takeSteps(walk, "buckets", [step, step, step]);
  await takeSteps(walk, "a part without a share", [step]);
  const shares = bar.states.map(({ done, total }) => done / total!);
  expect(shares[0]).toBe(0);
  expect(shares[1]).toBeGreaterThan(0);
  expect(shares[1]).toBeLessThan(0.2);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThan(1);
  expect(bar.states.map(({ note }) => note)).toContain("sorting");
});

test("a notebook shows an analysis that was not awaited", async () => {
  const options = { entry: "same", progress: false, lags: [1] } as const;
  const promise = analyzeFactor(SAMPLE_SCORES, SAMPLE_MARKET.prices, options);
  const shown = await (promise as unknown as { [DISPLAY](): Promise<Record<string, string>> })[
    DISPLAY
  ]();
  expect(shown["text/plain"]).toContain("1,680 score rows: 124 have no score");
  const members = [
    "aligned",
    "trialLog",
    "summary",
    "decayMeans",
    "permutation",
    "residualIc",
    "text",
  ];
  for (const name of members) {
    expect(() => promise[name as keyof typeof promise]).toThrow(`"${name}" of an analysis: `);
  }
});
