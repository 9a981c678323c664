import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  align,
  drawdowns,
  famaMacBeth,
  forwardReturns,
  informationCoefficient,
  performance,
  quantileTurnover,
  quantize,
} from "../../src/analysis/mod.ts";
import { readPrices } from "../../src/frames/prices/read_prices.ts";
import { makeMarket } from "../helpers/market.ts";
import { sentenceOf } from "./_mistakes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-reports-"));
});
afterAll(() => rm(folder, { recursive: true }));

const { scores, prices } = makeMarket(40, (_, number) => number);
const returns = forwardReturns(prices, { periods: [1] });
const days = scores.getColumn("date").unique().sort();
const earned = (values: readonly number[]) =>
  pl.DataFrame([
    days.head(values.length).rename("session"),
    pl.Series("return", [...values], pl.Float64),
  ]);
const section = (score: readonly number[], gains: readonly number[]) =>
  pl.DataFrame({
    session: score.map(() => "2026-10-01"),
    ticker: score.map((_, i) => `T${10 + i}`),
    score: [...score],
    return_1: [...gains],
  });
const ics = (data: DataFrame) => informationCoefficient(data).toRecords();
async function closesOf(lines: readonly string[]) {
  const path = join(folder, "closes.csv");
  await writeFile(path, [...lines, ""].join("\n"));
  return readPrices(path).withReport();
}

describe("reports of users of comparable tools: ", () => {
  test("quantopian/alphalens 253: returns in the place of prices", () => {
    const ret = pl.col("close").pctChange(1).over("ticker").alias("return");
    const own = prices.sort(["ticker", "date"]).withColumns(ret).drop("close")
      .withColumns(pl.col("return").fillNull(pl.lit(0)));
    const found = forwardReturns(own, { periods: [1] }).data.getColumn("return_1").toArray();
    const known = returns.data.getColumn("return_1").toArray() as (number | null)[];
    for (const [i, value] of known.entries()) {
      if (value === null) expect(found[i]).toBeNull();
      else expect(found[i]).toBeCloseTo(value, 12);
    }
  });

  test("ranaroussi/yfinance 1543: an adjusted close without the dividend or split beside it", async () => {
    const head = "Date,Ticker,Close,Adj Close,Dividends,Stock Splits";
    const last = "2026-10-05,AZQ,45.5,45.5,0,0";
    await expect(closesOf([head, "2026-10-01,AZQ,50,50,0,0", "2026-10-02,AZQ,45,45,5,0", last]))
      .rejects.toThrow('or { factor: { dividend: "Dividends" } }');
    const split = [head, "2026-10-01,AZQ,68,68,0,0", "2026-10-02,AZQ,45,45,0,1.5", last];
    const { prices } = await closesOf(split);
    expect(prices.columns).toContain("raw");
    expect(prices.getColumn("close").toArray()[0]).toBeCloseTo(68 / 1.5, 10);
    const right = [head, "2026-10-01,AZQ,50,45,0,0", "2026-10-02,AZQ,45,45,5,0", last];
    expect((await closesOf(right)).report.isClean).toBe(true);
    const words = [head, "2026-10-01,AZQ,50,45,-,1:1", "2026-10-02,AZQ,45,45,-,1:1"];
    expect((await closesOf(words)).report.isClean).toBe(true);
  });

  test("QuantConnect/Lean 80: values of a day's end with the instant of its beginning", async () => {
    const at = pl.col("date").cast(pl.Datetime("ms")).dt.replaceTimeZone("UTC").alias("at");
    const early = scores.withColumns(at).drop("date");
    expect(await sentenceOf(() => void align(early, returns))).toContain("known at midnight UTC");
    const hour = pl.col("at").cast(pl.Int64).add(pl.lit(20 * 3_600_000).cast(pl.Int64));
    const hours = early.withColumns(
      hour.cast(pl.Datetime("ms")).dt.replaceTimeZone("UTC").alias("at"),
    );
    await expect(sentenceOf(() => void align(hours, returns))).rejects.toThrow("nothing was said");
  });

  test("apilayer/marketstack 10: an adjusted close that a split of four moves, newest first", async () => {
    const { report } = await closesOf([
      "date,symbol,adj_close,close",
      "2020-09-01,AAPL,132.76,132.76",
      "2020-08-31,AAPL,127.58,127.58",
      "2020-08-28,AAPL,504.05,504.05",
    ]);
    expect(report.summary).toContain("a split: 1 (2020-08-31 AAPL ×0.253)");
  });

  test("alpacahq/alpaca-py 604: a split the wrong way round", async () => {
    const raw = pl.DataFrame({
      date: ["2026-10-01", "2026-10-02"],
      ticker: ["AZQ", "AZQ"],
      close: [120, 81],
      split: [1, 2 / 3],
    });
    await expect(readPrices(raw, { factor: { split: "split" } })).rejects.toThrow("−55.0%");
    expect((await readPrices(raw)).getColumn("close").toArray()[0]).toBeCloseTo(80, 10);
  });

  test("quantopian/alphalens 336: quantiles that are not all there", () => {
    const { data } = quantize(align(scores, returns), { quantiles: 5 });
    const some = quantileTurnover(data.filter(pl.col("quantile").eq(2).not()));
    expect(some.filter(pl.col("quantile").eq(2)).getColumn("reason").unique().toArray())
      .toEqual(["too_few_names"]);
    expect(some.filter(pl.col("quantile").eq(3)).getColumn("turnover").nullCount()).toBe(1);
  });

  test("stefan-jansen/alphalens-reloaded 6: a row for every day of the year", () => {
    const first = Number(days.toArray()[0]);
    const dates = Array.from({ length: 60 }, (_, i) => new Date(first + 864e5 * i));
    const every = pl.DataFrame([pl.Series("date", dates, pl.Date)])
      .join(scores.select("ticker").unique(), { how: "cross" })
      .join(scores, { on: ["date", "ticker"], how: "left" });
    const known = align(scores, returns);
    expect(ics(align(every, returns).data).map(({ ic }) => ic).filter((ic) => ic !== null))
      .toEqual(ics(known.data).map(({ ic }) => ic).filter((ic) => ic !== null));
  });

  test("microsoft/qlib 1720: the tickers NaN, NA and NULL", async () => {
    const { prices: read, report } = await closesOf([
      ...["date,ticker,close", "2026-10-01,NA,50", "2026-10-01,NULL,51", "2026-10-01,NaN,52"],
    ]);
    expect(read.getColumn("ticker").toArray()).toEqual(["NA", "NULL", "NaN"]);
    expect(report.summary).toMatch(/^tickers [^:;]*: 1 \(NaN\)$/);
  });

  test("ml4t/diagnostic 56: a loss with the first return", () => {
    expect(drawdowns(earned([-0.5, 0.1])).toRecords()[0]).toMatchObject({
      depth: -0.5,
      peak: null,
    });
    const [row] = drawdowns(earned([...Array(24).fill(0.1), -0.3])).toRecords();
    expect(row!.depth).toBeCloseTo(-0.3, 12);
  });

  test("freqtrade/freqtrade 3988: more than all is lost, and won again", () => {
    const [row] = performance(earned([0.1, -1.5, ...Array(30).fill(0.05)])).toRecords();
    expect(row).toMatchObject({ wealth: 0, reason: "total_loss" });
    const [worst] = drawdowns(earned([0.1, -1.5, 0.5])).toRecords();
    expect(worst!.depth).toBe(-1);
  });

  test("fasiondog/hikyuu 484: ties in both sides, and no variance", () => {
    const [score, gains] = [[3, 8, 4, 7, 2], [5, 10, 8, 10, 6]] as const;
    const twice = section([...score, ...score], [...gains, ...gains].map((gain) => gain / 100));
    // scipy.stats.spearmanr of the same values.
    expect(ics(twice)[0]!.ic).toBeCloseTo(0.8720815992723809, 12);
    expect(ics(section(Array(10).fill(1), gains.concat(gains as never) as number[]))[0])
      .toMatchObject({ ic: null, reason: "constant_scores" });
  });

  test("bashtage/linearmodels 176: a column that is one number in each session", () => {
    const data = align(scores, returns).data.withColumns(
      pl.col("session").cast(pl.Int32).cast(pl.Float64).alias("rate"),
    );
    const found = famaMacBeth(data, { on: ["score", "rate"] }).toRecords();
    expect(found.map(({ mean, sessions }) => [mean, sessions])).toEqual(Array(3).fill([null, 0]));
  });
});
