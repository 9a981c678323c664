import { expect, test } from "vitest";
import { WaitBudget } from "../../src/transport/wait_budget.ts";

test("a wait is counted once, however many requests wait at the same time", () => {
  const waits = new WaitBudget(60);
  waits.spend(0, 40);
  waits.spend(10, 40);
  expect([waits.leftFrom(40), waits.leftFrom(10)]).toEqual([20, 50]);
  waits.spend(30, 50);
  expect(waits.leftFrom(50)).toBe(10);
  waits.spend(60, 70);
  expect(waits.leftFrom(70)).toBe(0);
});

test("a clock that is set back counts nothing twice", () => {
  const waits = new WaitBudget(60);
  waits.spend(100, 120);
  waits.spend(50, 40);
  expect(waits.leftFrom(120)).toBe(40);
});

test("a wait that took longer than it was allowed leaves nothing, and no less", () => {
  const waits = new WaitBudget(60);
  waits.spend(0, 100);
  expect(waits.leftFrom(90)).toBe(10);
});
