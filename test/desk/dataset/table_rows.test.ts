import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { publicationTables, setTables } from "../../../src/desk/dataset/table/set_tables.ts";
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

test("only the rows of a year of live sets are sorted, and publications and checks take one row of each set", () => {
  const days = ["2025-12-31", "2026-01-02", "2026-01-05"].map((day) => new Date(day));
  const frame = pl.DataFrame([
    pl.Series("calculated_at", days.flatMap((day) => [day, day]), pl.Datetime("ms", "UTC")),
    pl.Series("last_checked_at", days.flatMap((day) => [day, day]), pl.Datetime("ms", "UTC")),
    pl.Series("snapshot_id", ["a", "a", "b", "b", "c", "c"], pl.Utf8),
    pl.Series("ticker", ["AAA", "BBB", "AAA", "BBB", "AAA", "BBB"], pl.Utf8),
    pl.Series("score", [0, 1, null, 0, 1, 0], pl.Float64),
  ]).withColumns(pl.lit("ecpnd").alias("factor"));
  const sets = setTables(frame)[0]!;
  const plan = rowsInYear(sets, 2026).describeOptimizedPlan();
  expect(plan.lastIndexOf("FILTER")).toBeGreaterThan(plan.indexOf("SORT"));
  expect(rowsInYear(sets, 2026).collectSync().height).toBe(4);
  for (const { rows } of publicationTables(frame)) expect(rows.collectSync().height).toBe(3);
});
