import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { align, forwardReturns } from "../../../src/analysis/mod.ts";
import { fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { DAYS, walks } from "./_walks.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-yahoo-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Random walks whose closes are divided by a split of 4:1 whenever they pass 200, in the shape of Yahoo's file. */
function yahooFile(seed: number): string {
  const closes = walks(seed, { names: 20, sessions: 300, volatility: 0.03 });
  const lines = ["Date,Ticker,Open,High,Low,Close,Adj Close,Volume"];
  for (const t of closes[0]!.keys()) {
    const splits = closes.map((section) => Math.floor(Math.log(section[t]! / 50) / Math.log(4)));
    const later = 4 ** Math.max(0, ...splits);
    for (const [d, section] of closes.entries()) {
      const close = section[t]! / later;
      const adjusted = close * (d < 150 ? 0.99 : 1);
      const bar = [close, close, close, close, adjusted].map((value) => value.toFixed(6));
      lines.push([fromEpochDay(DAYS[d]!), `T${t}`, ...bar, 900].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

describe("closes of Yahoo's shape, in worlds without a signal:", () => {
  test.each([1, 2, 3, 4, 5, 6])(
    "world %i has no level that claims to be known on its date",
    async (seed) => {
      const path = join(folder, `${seed}.csv`);
      await writeFile(path, yahooFile(seed));
      const { prices, report } = await readPrices(path).withReport();
      expect(prices.columns).toEqual(["date", "ticker", "close", "adjusted"]);
      expect(String(report)).toContain("Close: not read, closes whose adjustment is not known");
      const scores = prices.withColumns(pl.col("close").mul(-1).alias("score"));
      const returns = forwardReturns(prices, { periods: [1] });
      expect(() => align(scores, returns, { where: pl.col("close").gtEq(5) })).toThrow(
        "which is adjusted for later splits and dividends",
      );
      await expect(readPrices(path, { raw: "Close", close: "Adj Close" })).resolves.toBeDefined();
    },
  );
});
