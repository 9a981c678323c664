import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { forwardReturns } from "../../../../src/analysis/mod.ts";

const prices = pl.DataFrame({
  date: ["2026-10-28", "2026-10-29", "2026-10-30"],
  ticker: ["A", "A", "A"],
  close: [10, null, 12],
});

test("the notes on prices name closes that resume after a gap, which a cut inside it would end", () => {
  expect(forwardReturns(prices, { periods: [1] }).notes.toRecords()).toEqual([
    { session: new Date("2026-10-30"), ticker: "A", what: "resumed", value: 1 },
  ]);
  const cut = forwardReturns(prices.head(2), { periods: [2] });
  expect(cut.notes.height).toBe(0);
});
