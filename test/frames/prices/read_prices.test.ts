import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import pl from "nodejs-polars";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { shownType } from "../frame/_dtype.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-prices-"));
});
afterAll(() => rm(folder, { recursive: true }));

const notices: string[] = [];
const listen = (warning: Error) => void notices.push(warning.message);
beforeEach(() => {
  notices.length = 0;
  process.on("warning", listen);
});
afterEach(() => void process.off("warning", listen));

const CLEAN = [
  "date,ticker,close",
  "2026-11-20,TRUE,10.5",
  "2026-11-19,TRUE,10",
  "2026-11-20,NA,42",
  "2026-11-19,NA,41",
  "2026-11-20,1E5,7",
  "2026-11-19,1E5,7.25",
  "2026-11-20,0012,.5",
  "2026-11-19,0012,0.5",
];

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const frameOf = (...lines: readonly (readonly [string, string, number | null])[]) =>
  pl.DataFrame([
    pl.Series("date", lines.map(([date]) => date), pl.Utf8),
    pl.Series("ticker", lines.map(([, ticker]) => ticker), pl.Utf8),
    pl.Series("close", lines.map(([, , close]) => close), pl.Float64),
  ]);

describe("readPrices()", () => {
  test("keeps the tickers 1E5, NA, TRUE and 0012, by date and ticker", async () => {
    const prices = await readPrices(await put("closes.csv", `${CLEAN.join("\n")}\n`));
    expect(prices.columns.map((name) => shownType(prices, name))).toEqual(["date", "str", "f64"]);
    expect(prices.rows()).toEqual([
      [new Date("2026-11-19"), "0012", 0.5],
      [new Date("2026-11-19"), "1E5", 7.25],
      [new Date("2026-11-19"), "NA", 41],
      [new Date("2026-11-19"), "TRUE", 10],
      [new Date("2026-11-20"), "0012", 0.5],
      [new Date("2026-11-20"), "1E5", 7],
      [new Date("2026-11-20"), "NA", 42],
      [new Date("2026-11-20"), "TRUE", 10.5],
    ]);
    expect(notices).toEqual([]);
  });

  test("reads a gzipped CSV whole, also of several members", async () => {
    const text = CLEAN.join("\n") + "\n";
    const gzip = Buffer.concat([gzipSync(text), gzipSync("2026-11-20,BARL,3\n")]);
    const prices = await readPrices(await put("closes.csv.gz", gzip));
    expect(prices.height).toBe(9);
  });

  test("reads Parquet and frames to the same rows", async () => {
    const path = await put("same.csv", `${CLEAN.join("\n")}\n`);
    const prices = await readPrices(path);
    const parquet = join(folder, "same.parquet");
    prices.writeParquet(parquet);
    for (
      const source of [parquet, prices, prices.withColumn(pl.col("ticker").cast(pl.Categorical))]
    ) {
      expect((await readPrices(source)).rows()).toEqual(prices.rows());
    }
  });

  test("takes columns by the names that they have, a byte order mark, and dates in three forms", async () => {
    const lines = ["\ufeffDay,Volume,Symbol,Adj Close"];
    lines.push("20261118,1,A,1", "2026-11-19,2,A,1.1", "2026-11-20 00:00:00,3,A,1.2");
    const path = await put("vendor.csv", `${lines.join("\r\n")}\r\n`);
    const prices = await readPrices(path, { date: "Day", ticker: "Symbol", close: "Adj Close" });
    expect(prices.getColumn("date").toArray()).toEqual([
      new Date("2026-11-18"),
      new Date("2026-11-19"),
      new Date("2026-11-20"),
    ]);
    expect(prices.columns).toEqual(["date", "ticker", "close", "adjusted"]);
  });

  test("itemises what deserves a look, and changes nothing", async () => {
    const { prices, report } = await readPrices(frameOf(
      ["2026-11-16", "A", 40],
      ["2026-11-17", "A", 10],
      ["2026-11-20", "A", 10.1],
      ["2026-11-16", "B", 5],
      ["2026-11-17", "B", null],
      ["2026-11-19", "B", 5.1],
      ["2026-11-20", "B", 11],
      ["2026-11-21", "B", 11],
      ["2026-11-20", "brk b", 7],
    )).withReport();
    expect(prices.height).toBe(9);
    expect(report.findings.rows()).toEqual([
      ["ticker", null, "brk b", null],
      ["no_close", new Date("2026-11-17"), "B", null],
      ["jump", new Date("2026-11-17"), "A", 0.25],
      ["missing_session", new Date("2026-11-18"), null, null],
      ["gap", new Date("2026-11-20"), "A", 1],
      ["jump", new Date("2026-11-20"), "B", 11 / 5.1],
      ["no_session", new Date("2026-11-21"), null, 1],
    ].toSorted((a, b) => order(a) < order(b) ? -1 : 1));
    expect(String(report)).toBe([
      "The prices: 9 rows, 3 tickers, 5 dates, 2026-11-16 to 2026-11-21",
      '  · date: dates (such as "2026-11-16")',
      "  · ticker: tickers (its name; one row per date and ticker)",
      "  · close: the closes, whose adjustment is not known (nothing in the file shows it)",
      "  ✓ one row per date and ticker",
      "  ! jumps of the size of a split: 2 (2026-11-17 A ×0.25, 2026-11-20 B ×2.16)",
      "  ! gaps within a ticker: 1 (2026-11-20 A after 1 missing)",
      "  ! rows without a close: 1 (2026-11-17 B)",
      "  ! dates that are not sessions: 1 (2026-11-21)",
      "  ! sessions without any row: 1 (2026-11-18)",
      "  ! tickers that are not in the form of the API: 1 (brk b)",
    ].join("\n"));
    expect(notices).toEqual([]);
  });

  test("says what it found where only the frame is taken", async () => {
    await readPrices(frameOf(["2026-11-19", "A", 40], ["2026-11-20", "A", 10]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(notices).toEqual([
      "The prices have jumps of the size of a split: 1 (2026-11-20 A ×0.25). " +
      "readPrices(…).withReport() lists all",
    ]);
  });

  test("refuses a frame without rows", async () => {
    await expect(readPrices(frameOf())).rejects.toThrow(RangeError);
  });
});

describe("readPrices() refuses", () => {
  test.each(
    [
      [
        "a zero",
        [["2026-11-19", "NA", 0]],
        "closes that are not positive and finite: 1 (2026-11-19 NA: 0)",
      ],
      ["a negative price", [["2026-11-19", "A", -1]], "2026-11-19 A: -1"],
      ["NaN", [["2026-11-19", "A", NaN]], "2026-11-19 A: NaN"],
      ["infinity", [["2026-11-19", "A", Infinity]], "2026-11-19 A: Infinity"],
      [
        "a row twice",
        [["2026-11-19", "A", 1], ["2026-11-19", "B", 1], ["2026-11-19", "A", 2]],
        "rows that repeat a date and ticker with another close: 1 (2026-11-19 A); correct the file",
      ],
    ] as const,
  )("%s", async (_, lines, message) => {
    const reading = readPrices(frameOf(...lines));
    await expect(reading).rejects.toThrow(RangeError);
    await expect(reading).rejects.toThrow(message);
  });

  test.each([
    [
      "a date that is none",
      "date,ticker,close\n2026-02-30,A,1",
      'such as 2026-11-19, got "2026-02-30"',
    ],
    ["a date of two readings", "date,ticker,close\n01/02/2026,A,1", 'got "01/02/2026"'],
    ["a number with a comma", 'date,ticker,close\n2026-11-19,A,"1,000"', 'got "1,000"'],
    [
      "a row without a ticker",
      "date,ticker,close\n2026-11-19,,1",
      "a ticker in every row, got 1 row without one",
    ],
    [
      "another name of a column",
      "when,until,ticker,close\n2026-11-19,2026-11-20,A,1",
      'Cannot read the prices of wrong.csv: expected a column "date", got the columns when, until, ' +
      'ticker, close; give the names of yours, such as { date: "…"',
    ],
    [
      "another name of a later column",
      "date,ticker,what\n2026-11-19,A,1",
      'got the columns date, ticker, what; give the names of yours, such as { close: "what" }',
    ],
  ])("%s", async (_, text, message) => {
    const reading = readPrices(await put("wrong.csv", text));
    await expect(reading).rejects.toThrow(TypeError);
    await expect(reading).rejects.toThrow(message);
  });

  test("tickers that were read as broken numbers, and instants within a day", async () => {
    const numbers = pl.DataFrame({ date: ["2026-11-19"], ticker: [100000], close: [1] });
    expect((await readPrices(numbers)).row(0)[1]).toBe("100000");
    const halves = pl.DataFrame({ date: ["2026-11-19"], ticker: [1.5], close: [1] });
    await expect(readPrices(halves)).rejects.toThrow("as text or whole numbers, got 1.5");
    const instants = frameOf(["2026-11-19", "A", 1]).withColumns(
      pl.lit(new Date("2026-11-19T21:00:00Z")).cast(pl.Datetime("ms", "UTC")).alias("date"),
    );
    await expect(readPrices(instants)).rejects.toThrow(
      '; use timeZone: "America/New_York" or timeZone: "Europe/Istanbul"',
    );
    const midnights = frameOf(["2026-11-19", "A", 1]).withColumns(
      pl.lit(new Date("2026-11-19")).cast(pl.Datetime("ms", "UTC")).alias("date"),
    );
    expect((await readPrices(midnights)).row(0)[0]).toEqual(new Date("2026-11-19"));
  });

  test("a gzip file that is cut off or damaged", async () => {
    const gzip = gzipSync(CLEAN.join("\n"));
    const flipped = Buffer.from(gzip);
    flipped[gzip.length - 6]! ^= 1;
    for (const bytes of [gzip.subarray(0, -3), flipped]) {
      const reading = readPrices(await put("bad.csv.gz", bytes));
      await expect(reading).rejects.toThrow(IntegrityError);
      await expect(reading).rejects.toThrow("whole CSV file");
    }
  });

  test("a file that is not there or empty, another ending, a promise, an unknown option", async () => {
    const none = join(folder, "none.csv");
    await expect(readPrices(none)).rejects.toThrow(StorageError);
    await expect(readPrices(none)).rejects.toThrow(
      `Cannot read the prices of none.csv: expected a file that can be read at ${none}, got none`,
    );
    await expect(readPrices(await put("empty.csv", ""))).rejects.toThrow("an empty file");
    await expect(readPrices("closes.xlsx")).rejects.toThrow("ends in .csv, .txt");
    await expect(readPrices(Promise.resolve(frameOf()) as never)).rejects.toThrow(
      "a promise; await it first",
    );
    await expect(readPrices("x.csv", { symbol: "A" } as never)).rejects.toThrow("symbol");
  });
});

function order(row: readonly unknown[]): string {
  const [, date, ticker] = row as readonly [string, Date | null, string | null];
  return `${date?.toISOString() ?? ""} ${ticker ?? ""}`;
}
