import process from "node:process";
import pl from "nodejs-polars";
import { afterEach, expect, test, vi } from "vitest";
import { forwardReturns } from "../../src/analysis/mod.ts";

afterEach(() => vi.restoreAllMocks());

const prices = pl.DataFrame({
  date: ["2026-10-28", "2026-10-29", "2026-10-30"],
  ticker: ["A", "A", "A"],
  close: [10, null, 12],
});

test("compat says in one line what it does, once a program, and silence without it", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  forwardReturns(prices, { periods: [1] });
  expect(warn).not.toHaveBeenCalled();
  forwardReturns(prices, { periods: [1], compat: "alphalens" });
  forwardReturns(prices, { periods: [2], compat: "alphalens" });
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    'compat: "alphalens" in forwardReturns(): missing closes are padded, so a gap is 0% and then a jump',
  ]);
});
