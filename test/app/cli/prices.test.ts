import { join } from "node:path";
import { expect, test } from "vitest";
import { runMain } from "./_run_main.ts";

const FIELD = join(import.meta.dirname!, "../../frames/prices/field");
const file = (name: string) => join(FIELD, name);

test("prices prints what each column is taken for, with the dates and numbers that show it", async () => {
  const { code, out } = await runMain("prices", file("factor_divides_ajexm.csv"));
  expect(code).toBe(0);
  expect(out.split("\n").slice(1, 6)).toEqual([
    '  · date: dates (such as "2026-09-14")',
    "  · ticker: tickers (its name; one row per date and ticker)",
    "  · close: the closes, as traded (1 change of ajexm (2026-09-16 VZK −33.1%): a jump at each)",
    "  · ajexm: a factor that divides the closes (2 moves beside its changes: 2026-09-16 VZK −33.1% as it is, +0.4% with it)",
    "  ✓ one row per date and ticker",
  ]);
});

test("prices says where nothing in a file shows the state of a close, and what its vendor's habit is", async () => {
  const { code, out } = await runMain("prices", file("yahoo_close_is_split_adjusted.csv"));
  expect(code).toBe(0);
  expect(out).toContain("by default those of Yahoo are adjusted for splits");
  const unknown = await runMain("prices", file("kaggle_sp500.csv"));
  expect(unknown.out).toContain("close: the closes, whose adjustment is not known");
});

test("prices exits with 1 where a question is open, with the option that answers it, which it takes as it is shown", async () => {
  const asked = await runMain("prices", file("zero_close.csv"));
  expect(asked.code).toBe(1);
  expect(asked.error).toContain('missing: "0"');
  const { code, out } = await runMain(
    "prices",
    file("zero_close.csv"),
    "--options",
    'missing: "0"',
  );
  expect([code, out.includes("rows without a close: 1")]).toEqual([0, true]);
  const wrong = await runMain("prices", file("zero_close.csv"), "--options", "missing = 0");
  expect(wrong.code).toBe(2);
});
