import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { align, forwardReturns, informationCoefficient } from "../../../../src/analysis/mod.ts";

const date = ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29"];
const prices = pl.DataFrame({
  date: [...date, ...date],
  ticker: [...date.map(() => "ENDS"), ...date.map(() => "STAYS")],
  close: [10, 12, null, null, 5, 5, 5, 5],
});

function endedOf(ended: "last" | "null" | { readonly return: number }) {
  const { data } = forwardReturns(prices, { periods: [2], ended });
  return data.filter(pl.col("ticker").eq(pl.lit("ENDS"))).head(2).toRecords()
    .map((row) => [row["return_2"], row["why_2"]]);
}

describe("a name whose closes end", () => {
  test("counts to its last close, with a return of 0 where the window was entered there", () => {
    expect(endedOf("last")).toEqual([[12 / 10 - 1, "ended"], [0, "ended"]]);
  });

  test("has a further return at the end, or none at all, if so asked", () => {
    expect(endedOf({ return: -0.5 })).toEqual([[1.2 * 0.5 - 1, "ended"], [-0.5, "ended"]]);
    expect(endedOf("null")).toEqual([[null, "no_exit_price"], [null, "no_exit_price"]]);
  });
});

test("a later set of a status that was not asked for supersedes nothing", () => {
  const scores = pl.DataFrame([
    pl.Series(
      "calculated_at",
      ["2026-10-26T14:00:00Z", "2026-10-26T15:00:00Z"].map((at) => new Date(at)),
      pl.Datetime("ms", "UTC"),
    ),
    pl.Series("ticker", ["STAYS", "STAYS"], pl.Utf8),
    pl.Series("score", [0.25, 0.75], pl.Float64),
    pl.Series("status", ["current", "stale"], pl.Utf8),
  ]);
  const returns = forwardReturns(prices, { periods: [1] });
  const first = (options: object) => align(scores, returns, options).data.toRecords()[0]!["score"];
  expect(first({})).toBe(0.75);
  expect(first({ statuses: ["current"] })).toBe(0.25);
});

test("as many names as required are enough for a correlation, and one less is not", () => {
  const session = Array(4).fill("2026-10-30");
  const data = pl.DataFrame({
    session,
    ticker: ["A", "B", "C", "D"],
    score: [1, 2, 3, 4],
    return_1: [1, 2, 3, 4],
  });
  const of = (minNames: number) => informationCoefficient(data, { minNames }).toRecords()[0];
  expect(of(4)).toMatchObject({ ic: 1, n: 4, reason: null });
  expect(of(5)).toMatchObject({ ic: null, n: 4, reason: "too_few_names" });
});
