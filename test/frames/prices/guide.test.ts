import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forwardReturns, type PriceMarketOptions } from "../../../src/analysis/mod.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import type { ReadPricesOptions } from "../../../src/frames/prices/prices_options.ts";
import { VENDOR_FILES } from "./_vendor_files.ts";

const FIELD = join(import.meta.dirname!, "field");
const guide = await readFile(join(import.meta.dirname!, "../../../docs/prices.md"), "utf8");
const rowsOf = (head: string) =>
  guide.slice(guide.indexOf(head)).split("\n\n")[0]!.split("\n").slice(2)
    .map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-guide-"));
});
afterAll(() => rm(folder, { recursive: true }));

const ONE = "Date,Close\n2026-10-01,50.5\n2026-10-02,51.5\n";
const CRSP =
  "PERMNO,date,TICKER,PRC,RET,DLRET\n1,20261001,AZQ,50.5,C,\n1,20261002,AZQ,51.51,0.02,-0.3\n";
const DATASTREAM =
  "Name,VZK,WQD\nCode,902172(P),905113(P)\nCURRENCY,U$,U$\n14/9/2026,71.5,31.2\n15/9/2026,70.5,31.7\n";
/** The files of each call: one of the field, one of the vendors, or a text. */
const FILES: Readonly<Record<string, readonly (readonly [name: string, source: string])[]>> = {
  "closes.csv": [["closes.csv", "eodhd.csv"]],
  "yahoo.csv": [["yahoo.csv", "yahoo_close_is_split_adjusted.csv"]],
  "history.csv": [["history.csv", "yf_history_dividends.csv"]],
  "pairs.csv": [["pairs.csv", "bdh_pairs_two_headers.csv"]],
  "datastream.csv": [["datastream.csv", DATASTREAM]],
  "ciz.csv": [["ciz.csv", "ciz_factor_of_the_day.csv"]],
  "tushare.csv": [["tushare.csv", "factor_multiplies_tushare.csv"]],
  "jpx.csv": [["jpx.csv", "jpx_flag_advised.csv"]],
  "alpaca.csv": [["alpaca.csv", "zone_alpaca.csv"]],
  "databento.csv": [["databento.csv", "venues_databento.csv"]],
  "data.csv": [["data.csv", "yfinance.csv"]],
  "prices/*.csv": [["prices/AZQ.csv", ONE], ["prices/BQR.csv", ONE]],
  "data.txt": [["data.txt", "stooq.us.txt"]],
  "daily/*.us.txt": [["daily/azq.us.txt", "stooq.us.txt"]],
  "hist.csv": [["hist.csv", "nasdaq_export.csv"]],
  "bdh.csv": [["bdh.csv", "bloomberg_bdh.csv"]],
  "crsp.csv": [["crsp.csv", CRSP]],
  "secd.csv": [["secd.csv", "compustat.csv"]],
  "bars.csv": [["bars.csv", "zipline_split.csv"]],
  "SP500.csv": [["SP500.csv", "fred.csv"]],
  "ff.csv": [["ff.csv", "french.csv"]],
};
/** The last close of the first ticker that each call gives. */
const LAST: Readonly<Record<string, number>> = {
  ...{ "closes.csv": 51.5, "data.csv": 51.5, "prices/*.csv": 51.5, "data.txt": 51.5 },
  ...{ "daily/*.us.txt": 51.5, "hist.csv": 51, "bdh.csv": 51, "crsp.csv": 0.714 },
  ...{ "yahoo.csv": 40.6, "history.csv": 100, "pairs.csv": 70.5, "datastream.csv": 70.5 },
  ...{ "ciz.csv": 40.4, "tushare.csv": 97.2 * 1.25, "jpx.csv": 252, "alpaca.csv": 70.5 },
  ...{
    "databento.csv": 70.5,
    "secd.csv": 51.5,
    "bars.csv": 81,
    "SP500.csv": 6061.2,
    "ff.csv": 0.9761 * 1.0381,
  },
};

async function put(name: string, source: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  const vendor = VENDOR_FILES.find(([known]) => known === source)?.[1];
  if (source.includes("\n")) await writeFile(path, source);
  else if (typeof vendor === "string") await writeFile(path, vendor);
  else await copyFile(join(FIELD, source), path);
  return path;
}

const evaluated = (text: string) => new Function(`return (${text})`)() as ReadPricesOptions;
const calls = rowsOf("| from ").flatMap(([, cell]) =>
  [...cell!.matchAll(/readPrices\("([^"]+)"(?:, (\{.*?\}))?\)/g)]
    .map(([call, path, options = "{}"]) => [call, path!, options] as const)
);

describe("each call of the guide to prices", () => {
  test("has a file in this test", () => {
    expect(calls.map(([, path]) => path).toSorted()).toEqual(Object.keys(FILES).toSorted());
  });

  test.each(calls)("reads what its vendor gives: %s", async (_, path, options) => {
    for (const [name, source] of FILES[path]!) await put(name, source);
    const prices = await readPrices(join(folder, path), evaluated(options));
    const [first] = prices.sort(["ticker", "date"]).getColumn("ticker").toArray();
    const own = prices.filter(pl.col("ticker").eq(pl.lit(first!))).getColumn("close");
    expect(own.toArray().at(-1)).toBeCloseTo(LAST[path]!, 10);
  });
});

const DATES = ["2026-10-01", "2026-10-02"];
const table = (dates: readonly string[], closes: readonly string[], sign = ",") =>
  [`date,ticker,close`, ...dates.map((date, i) => `${date},AZQ,${closes[i]}`), ""]
    .join("\n").replaceAll(",", sign);
const PLAIN = ["50.5", "51.5"];
/** A text that needs the options of each row of the second table. */
const TEXTS: Readonly<Record<string, string>> = {
  "names of columns that no vendor gives": `traded,firm,value\n${
    table(DATES, PLAIN).split("\n").slice(1).join("\n")
  }`,
  "`;` or a tab between fields": table(DATES, PLAIN, ";"),
  "`38,38` or `3.838,05`": table(DATES, ['"3.838,05"', '"38,38"']),
  "`3,838.05`": table(DATES, ['"3,838.05"', '"3,900.00"']),
  "`$50.50`": table(DATES, ["$50.50", "$51.50"]),
  "`null`, `.`, `NA`, `-` for no close": table([...DATES, "2026-10-05"], ["null", ".", "50"]),
  "remarks above and below the table": `a\nb\nc\n${table(DATES, PLAIN)}the end\n`,
  "several lines of names": "x,AZQ,BQR\nDates,PX_LAST,PX_LAST\n2026-10-01,50,10\n",
  "times of day, or Unix times": table(["2026-10-01T04:00:00Z", "2026-10-02T04:00:00Z"], PLAIN),
  "months such as `202609`": table(["202608", "202609"], PLAIN),
  "months labelled by their first day": table(["2026-08-01", "2026-09-01"], PLAIN),
  "dates a day late": table(["2026-10-02", "2026-10-03"], PLAIN),
  "rows of several fields":
    "date,ticker,field,value\n2026-10-01,AZQ,close,50.5\n2026-10-01,AZQ,volume,900\n",
  "negative closes of CRSP": table(["2026-09-30", ...DATES], ["-50", ...PLAIN]),
  "`11/19/2026`, `19.11.2026`, `19-Nov-2026`, `19. März 2026`": table(
    ["11/19/2026", "11/20/2026"],
    PLAIN,
  ),
  "a column, or several fields, per ticker": "date,AZQ,BQR\n2026-10-01,50,10\n",
  "dates beside each ticker, or across":
    "date,AZQ,date.1,BQR\n2026-10-01,50,2026-10-01,10\n2026-10-02,51,2026-10-02,10.1\n",
  "weekly or monthly closes": table(["2026-08-31", "2026-09-30"], PLAIN),
  "dates of another market": table(["2026-11-25", "2026-11-26"], PLAIN),
};
const layouts = rowsOf("| file  ").filter(([file]) => !file!.includes("inflates"));

describe("each option of the guide", () => {
  test("has a file in this test", () => {
    expect(layouts.map(([file]) => file)).toEqual(Object.keys(TEXTS));
  });

  test.each(layouts)("reads %s with %s, and without it they are not read, or told", async (
    file,
    cell,
  ) => {
    const path = await put("layout.csv", TEXTS[file!]!);
    const options = evaluated(/\{.*?\}(?=`)/.exec(cell!)![0]);
    const more = /lines of names|several fields, per/.test(file!)
      ? { layout: "wide" } as const
      : {};
    const read = (given: ReadPricesOptions) => readPrices(path, { ...more, ...given }).withReport();
    const { prices, report } = await read(options);
    expect(prices.getColumn("close").nullCount()).toBeLessThan(prices.height);
    expect(report.summary).not.toMatch(/not daily|not sessions|day off/);
    const bare = await readPrices(path).withReport().then(
      ({ report: { isClean } }) => isClean,
      (error: unknown) => error instanceof Error ? false : null,
    );
    expect(bare).toBe(false);
  });
});

const daily = (dates: readonly string[]) =>
  pl.DataFrame({
    date: [...dates],
    ticker: dates.map(() => "A"),
    close: dates.map((_, i) => 9 + i),
  });
/** Prices that need the option of each row of the third table. */
const MARKETS: Readonly<Record<string, readonly string[]>> = {
  "rows on dates that are not sessions": [...DATES, "2026-10-03", "2026-10-05"],
  "up to 5% of sessions without any row": ["2026-10-01", "2026-10-05"],
  "more sessions than that, such as every Monday": [
    ...["2026-10-01", "2026-10-02", "2026-10-06", "2026-10-07", "2026-10-08", "2026-10-09"],
    ...["2026-10-13"],
  ],
  "weekly, monthly, quarterly or yearly closes": ["2026-07-31", "2026-08-31", "2026-09-30"],
  "another market": ["2026-11-24", "2026-11-25", "2026-11-26", "2026-11-27"],
};
const markets = rowsOf("| prices  ");

describe("each option for another market", () => {
  test("has a file in this test", () => {
    expect(markets.map(([prices]) => prices)).toEqual(Object.keys(MARKETS));
  });

  test.each(markets)("%s: %s, and with %s they are taken", (name, without, cell) => {
    const prices = daily(MARKETS[name!]!);
    if (without === "refused") expect(() => forwardReturns(prices)).toThrow("Cannot compute");
    else expect(forwardReturns(prices).notes.height).toBeGreaterThan(0);
    const option = /`(\w+: (?:"\w+"|[\d.]+))`/.exec(cell!)?.[1];
    const given = evaluated(`{ ${option ?? ""} }`) as PriceMarketOptions;
    expect(forwardReturns(prices, { periods: [1], ...given }).sessions.length).toBeGreaterThan(1);
  });
});
