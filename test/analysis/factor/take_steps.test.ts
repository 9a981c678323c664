import { expect, test } from "vitest";
import { takeSteps } from "../../../src/analysis/factor/take_steps.ts";

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
