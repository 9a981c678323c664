import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { align, analyzeFactor, forwardReturns, judgement } from "../../../src/analysis/mod.ts";
import { trialLog } from "../../../src/analysis/trial_log.ts";

const DATES = ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"];
const TICKERS = ["A", "B", "C"];
const cells = DATES.flatMap((date, d) => TICKERS.map((ticker, i) => ({ date, ticker, d, i })));
const prices = pl.DataFrame(
  cells.map(({ date, ticker, d, i }) => ({ date, ticker, close: 4 + d * i })),
);
const scores = pl.DataFrame(
  cells.map(({ date, ticker, d, i }) => ({ date, ticker, score: d - i, raw: 4 + d * i })),
).withColumns(
  pl.when(pl.col("ticker").eq(pl.lit("C")).and(pl.col("date").eq(pl.lit("2026-10-27"))))
    .then(pl.lit(null)).otherwise(pl.col("raw")).alias("raw"),
);
const returns = forwardReturns(prices, { periods: [1] });
const where = pl.col("raw").gtEq(5);

describe("where", () => {
  test("keeps rows on which it holds, and itemises the others as excluded, null among them", () => {
    const { loss, data } = align(scores, returns, { where });
    // A is at 4 on five days, B at 4 on the first, C at 4 on the first and null on the second.
    const excluded = loss.table.filter(pl.col("reason").eq(pl.lit("excluded"))).toRecords();
    expect(excluded).toMatchObject([{ rows: 8, horizon: null, tickers: 3 }]);
    expect(loss.rows).toBe(15);
    expect(new Set(data.getColumn("ticker").toArray())).toEqual(new Set(["B", "C"]));
    expect(String(loss)).toContain("8 are excluded by where");
  });

  test("and prices decide which tickers a sample has", () => {
    const some = forwardReturns(prices.filter(pl.col("ticker").neq(pl.lit("C"))), { periods: [1] });
    expect(align(scores, returns).tickers).toBe(3);
    expect(align(scores, some).tickers).toBe(2);
    expect(align(scores, some, { where }).tickers).toBe(1);
  });

  test("does not count what it excludes as lost", () => {
    // 7 rows are left: those of the last two dates have no return.
    expect(() => align(scores, returns, { where, maxLoss: 0.6 })).not.toThrow();
    expect(() => align(scores, returns, { where, maxLoss: 0.5 })).toThrow(
      /0\.5 .* \(maxLoss\), .* 0\.571/,
    );
    expect(String(align(scores, returns, { where: pl.col("raw").gtEq(1000) }).loss))
      .toContain("15 are excluded");
  });

  test("of a live set that is excluded as a whole does not bring back the one before", () => {
    const sets = pl.DataFrame({
      at: ["2026-10-26T12:00:00Z", "2026-10-27T12:00:00Z"],
      ticker: ["A", "A"],
      score: [0.5, 0.7],
      raw: [10, 1],
    });
    const { data } = align(sets, returns, { where });
    expect(data.getColumn("session").toArray()).toEqual([new Date("2026-10-26")]);
  });

  test("is refused if it is no condition on the columns", () => {
    const run = (given: unknown) => () => align(scores, returns, { where: given as pl.Expr });
    expect(run("raw > 5")).toThrow(/got "raw > 5"/);
    expect(run(pl.col("price").gtEq(5))).toThrow("expected where to be true or false in each row");
    expect(run(pl.col("raw"))).toThrow(/where .* the type/);
    expect(run(pl.col("raw").mean().gtEq(5))).toThrow(/where .* 1 values/);
  });

  test("and the name of a variant are in the judgement, the origin and the trial log of an analysis", async () => {
    const log = trialLog();
    const analysis = await analyzeFactor(scores, prices, {
      ...{ where, what: "five-session change", periods: [1], minNames: 2, quantiles: 2, lags: [1] },
      ...{ progress: false, trialLog: log },
    });
    expect(analysis.origin.what).toBe('five-session change, score, where [(col("raw")) >= (5.0)]');
    expect(judgement(analysis).text).toMatch(/8 are excluded .*\(53\.3%\)\./);
    expect(JSON.stringify(log.table().toRecords())).toContain("five-session change");
    await expect(analyzeFactor(scores, prices, { what: 5 as unknown as string }))
      .rejects.toThrow(/what .* got 5/);
  });
});
