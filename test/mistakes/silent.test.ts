import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  align,
  forwardReturns,
  neutralize,
  portfolioExposures,
  tradeLiquidity,
} from "../../src/analysis/mod.ts";
import { noteSentences } from "../../src/analysis/aligned/prices/price_notes.ts";
import { readPrices } from "../../src/frames/prices/read_prices.ts";
import type { ReadPricesOptions } from "../../src/frames/prices/prices_options.ts";
import { change, type Closes, filled, frameOf, walks } from "../frames/prices/_walks.ts";
import { sentenceOf } from "./_mistakes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-silent-"));
});
afterAll(() => rm(folder, { recursive: true }));

const closes = walks(1, { sessions: 200 });
const prices = frameOf(closes);
const returns = forwardReturns(prices, { periods: [1] });
const scores = prices.withColumns(pl.col("close").rank().over("date").alias("score")).drop("close");
const weights = scores.rename({ date: "session" }).select(
  "session",
  "ticker",
  pl.lit(1).alias("weight"),
);
const marked = prices.withColumns(
  pl.lit(true).alias("adjusted"),
  pl.lit(0.5).alias("score"),
  pl.lit(900).alias("volume"),
);

/** What a text is read as, and what is said of it. */
async function read(text: string, options: ReadPricesOptions = {}): Promise<string> {
  const path = join(folder, "closes.csv");
  await writeFile(path, text);
  const { prices: found, report } = await readPrices(path, options).withReport();
  const cells = found.rows().map(([, ticker, close]) => `${ticker} ${close}`).join(", ");
  return report.isClean ? `read as ${cells}` : report.summary;
}
const lines = (...rows: readonly string[]) => [...rows, ""].join("\n");
const two = (head: string, first: string, second: string) =>
  lines(head, `2026-10-01,AZQ,${first}`, `2026-10-02,AZQ,${second}`);
/** What forward returns say of closes. */
const noted = (of: Closes) => {
  const { notes } = forwardReturns(frameOf(of), { periods: [1], still: true });
  return noteSentences(notes).map(({ text }) => text).join(" ");
};
const monthly = (dates: readonly string[]) =>
  forwardReturns(
    pl.DataFrame({
      date: [...dates],
      ticker: dates.map(() => "A"),
      close: dates.map((_, i) => 10 + (i * 7) % 5),
    }),
    { frequency: "monthly", periods: [1] },
  );
const inGroups = (...names: readonly string[]) => {
  const groups = pl.DataFrame({ ticker: names.map((_, i) => `T${i}`), group: [...names] });
  const { loss, dense } = align(scores, returns, { groups });
  return `groups ${JSON.stringify(dense.groups!.names)}; ${loss}`;
};
const renamed = (rename: (ticker: string) => string) => {
  const own = Object.fromEntries(["T0", "T1"].map((ticker) => [ticker, rename(ticker)]));
  const tickers = (frame: DataFrame) =>
    frame.getColumn("ticker").toArray().map((ticker) => own[ticker as string] ?? ticker);
  const other = scores.withColumns(pl.Series("ticker", tickers(scores) as string[], pl.Utf8));
  return String(align(other, returns).loss.nearTickers);
};
const shifted = (frame: DataFrame, by: number) =>
  frame.withColumns(pl.col("date").cast(pl.Int32).add(by).cast(pl.Date));
const step = (d: number, of: number) => d - d % of;

type Silent = readonly [mistake: string, run: () => unknown];

/** Mistakes that other tools, and this one once, took in silence, by kind. */
const KINDS: Readonly<Record<string, readonly Silent[]>> = {
  "levels of adjusted closes": [
    ["a condition", () => align(marked, returns, { where: pl.col("close").gtEq(5) })],
    ["an exposure of scores", () => neutralize(marked, { on: ["close"], score: "score" })],
    ["an exposure of a portfolio", () => portfolioExposures(weights, marked, { on: ["close"] })],
    ["a volume in currency", () => tradeLiquidity(align(scores, returns), weights, marked)],
    ["a score", () => align(marked.drop("score"), returns, { score: "close" })],
  ],
  "factors that say the close is raw": [
    ["split", () => read(two("date,ticker,close,split", "120,1", "81,1.5"))],
    ["ajexdi", () => read(two("date,ticker,close,ajexdi", "120,1.5", "81,1"))],
    ["cfacpr", () => read(two("date,ticker,close,cfacpr", "120,1.5", "81,1"))],
    ["split_factor", () => read(two("date,ticker,close,split_factor", "120,1", "81,1.5"))],
  ],
  "several closes": [
    ["close_unadjusted", () => read(two("date,ticker,close,close_unadjusted", "80,120", "81,81"))],
    [
      "total_return_index",
      () => read(two("date,ticker,close,total_return_index", "120,99", "81,99.5")),
    ],
    ["close.1", () => read(two("date,ticker,close,close.1", "120,80", "81,81"))],
    ["close_right", () => read(two("date,ticker,close,close_right", "120,80", "81,81"))],
    ["price", () => read(two("date,ticker,close,price", "120,80", "81,81"))],
  ],
  "columns that are no stock": [
    [
      "AZQ.VOLUME",
      () => read("date,AZQ.CLOSE,AZQ.VOLUME\n2026-10-01,50,900\n", { layout: "wide" }),
    ],
    [
      "AZQ_volume",
      () => read("date,AZQ_close,AZQ_volume\n2026-10-01,50,900\n", { layout: "wide" }),
    ],
    ["Volume-AZQ", () => read("date,Close-AZQ,Volume-AZQ\n2026-10-01,50,9\n", { layout: "wide" })],
    [
      "row numbers",
      () => read(",date,AZQ\n0,2026-10-01,50\n1,2026-10-02,51\n", { layout: "wide" }),
    ],
  ],
  "dates a day off": [
    ["prices a day late", () => forwardReturns(shifted(prices, 1), { periods: [1] })],
    ["prices a day early", () => forwardReturns(shifted(prices, -1), { periods: [1] })],
    ["scores a day late", () => align(shifted(scores, 1), returns)],
  ],
  "labels of periods": [
    [
      "months by their first day",
      () => monthly(["2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01"]),
    ],
    [
      "a running month",
      () => {
        const { notes } = monthly(["2026-07-31", "2026-08-31", "2026-09-30", "2026-10-08"]);
        return noteSentences(notes).map(({ text }) => text).join(" ");
      },
    ],
    [
      "last closes of months, one of a delisted stock",
      () => {
        const { sessions } = monthly(["2026-07-31", "2026-08-31", "2026-09-30"]);
        return `sessions ${sessions.join(", ")}`;
      },
    ],
    [
      "scores of calendar month ends",
      () => {
        const ends = ["2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31", "2024-06-30"];
        const rows = ends.flatMap((date) =>
          Array.from({ length: 12 }, (_, t) => ({ date, ticker: `T${t}`, score: t }))
        );
        align(pl.DataFrame(rows), returns);
      },
    ],
  ],
  "closes that do not move": [
    ["weekly ones filled", () => forwardReturns(frameOf(filled(closes, 5)))],
    ["monthly ones filled", () => forwardReturns(frameOf(filled(closes, 21)))],
    [
      "half of the names stuck",
      () =>
        noted(change(closes, (own, d, t) => t < 6 && d > 60 && d < 181 ? closes[60]![t]! : own)),
    ],
    [
      "delisted names padded on",
      () => noted(change(closes, (own, d, t) => t < 3 && d > 150 ? closes[150]![t]! : own)),
    ],
    [
      "a session repeated",
      () => noted(change(closes, (own, d, t) => d === 99 ? closes[98]![t]! : own)),
    ],
    [
      "interpolated ones",
      () =>
        noted(change(closes, (_, d, t) => {
          const [from, to] = [
            closes[step(d, 10)]![t]!,
            closes[Math.min(199, step(d, 10) + 10)]![t]!,
          ];
          return from + (to - from) * (d % 10) / 10;
        })),
    ],
  ],
  "scores that do not move": [
    [
      "from a date on",
      () => {
        const day = pl.lit(new Date("2024-06-28")).cast(pl.Date);
        const last = scores.filter(pl.col("date").eq(day)).select(
          "ticker",
          pl.col("score").alias("last"),
        );
        const fixed = pl.when(pl.col("date").gt(day)).then(pl.col("last")).otherwise(
          pl.col("score"),
        );
        align(
          scores.join(last, { on: "ticker", how: "left" }).withColumns(fixed.alias("score")).drop(
            "last",
          ),
          returns,
        );
      },
    ],
  ],
  "no closes at all": [
    ["1 + r", () => noted(change(closes, (own, d, t) => d === 0 ? 1 : own / closes[d - 1]![t]!))],
    [
      "100 (1 + r)",
      () => noted(change(closes, (own, d, t) => d === 0 ? 100 : 100 * own / closes[d - 1]![t]!)),
    ],
    ["logarithms", () => noted(change(walks(2, { volatility: 0.008, sessions: 200 }), Math.log))],
  ],
  "another company": [
    [
      "after a hole",
      () => noted(change(closes, (own, d, t) => t === 4 && d > 90 && d < 140 ? null : own)),
    ],
  ],
  "groups that are none": [
    ['""', () => inGroups("", "Tech", "Tech")],
    ['"nan"', () => inGroups("nan", "Tech", "Tech")],
    ['"N/A"', () => inGroups("N/A", "Tech", "Tech")],
    ['"Tech "', () => inGroups("Tech ", "Tech", "Tech")],
  ],
  "rows that are cut or blank": [
    [
      "a file cut in its last row",
      () => read("date,ticker,close\n2026-10-01,AZQ,50.5\n2026-10-02,AZQ,5"),
    ],
    [
      "an empty ticker in scores",
      () =>
        align(
          scores.withColumns(pl.col("ticker").str.replace("^T3$", "").alias("ticker")),
          returns,
        ),
    ],
  ],
  "spellings of a ticker": [
    ["the sign in it", () => {
      const dot = pl.DataFrame({ date: ["2024-01-02"], ticker: ["BRK.B"], score: [1] });
      const dash = frameOf(closes).withColumns(
        pl.col("ticker").str.replace("^T0$", "BRK-B").alias("ticker"),
      );
      return align(dot, forwardReturns(dash, { periods: [1] }));
    }],
    ["a suffix", () => renamed((ticker) => `${ticker}.US`)],
    ["a blank", () => renamed((ticker) => `${ticker} `)],
    ["small letters", () => renamed((ticker) => ticker.toLowerCase())],
  ],
};

test("no mistake of these kinds is silent", async () => {
  const table: string[] = [];
  let count = 0;
  for (const [kind, rows] of Object.entries(KINDS)) {
    table.push(`${kind}:`);
    for (const [mistake, run] of rows) {
      const said = (await sentenceOf(run)).replaceAll(folder, "FOLDER");
      const result = said.startsWith("Cannot")
        ? "refused"
        : /^(read|sessions|groups) /.test(said)
        ? "right"
        : "told";
      table.push(`  ${mistake}: ${result}`, `    ${said.split("\n")[0]}`);
      count++;
    }
  }
  expect([Object.keys(KINDS).length, count]).toEqual([13, 46]);
  await expect(`${table.join("\n")}\n`).toMatchFileSnapshot("silent_table.txt");
});
