import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { rowsInYear } from "../../../src/desk/dataset/table/lay.ts";
import { toTableRows } from "../../../src/desk/dataset/table/table_rows.ts";

test("the condition on a year reaches the frame, so that only the rows of the year are laid out", () => {
  const frame = pl.DataFrame({
    date: [new Date("2025-12-31"), new Date("2026-01-02")],
    ticker: ["AAA", "BBB"],
    factor: ["ecpnd", "ecpnd"],
    score: [0.25, 0.5],
  }).withColumns(pl.col("date").cast(pl.Date));
  const plan = rowsInYear(toTableRows(frame)[0]!, 2026).describeOptimizedPlan();
  expect(plan.indexOf("FILTER")).toBeGreaterThan(plan.indexOf("SELECT"));
});
