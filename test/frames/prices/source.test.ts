import { Buffer } from "node:buffer";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listText } from "../../../src/base/arguments/list_text.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import type { ReadPricesOptions } from "../../../src/frames/prices/prices_options.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-price-files-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function messageOf(content: string | Uint8Array, options: ReadPricesOptions = {}) {
  const error = await readPrices(await put("a.csv", content), options).then(
    () => null,
    (thrown: Error) => thrown,
  );
  return String(error?.message);
}

async function closesOf(content: string, options: ReadPricesOptions = {}): Promise<unknown[]> {
  const { prices } = await readPrices(await put("a.csv", content), options).withReport();
  return prices.rows().map(([date, ticker, close]) => [dateText(date as Date), ticker, close]);
}

const ONE = [["2026-11-19", "A", 3838.05]];

describe("a path is no pattern:", () => {
  const frameOf = (ticker: string) =>
    pl.DataFrame([
      pl.Series("date", [new Date("2026-11-19")], pl.Date),
      pl.Series("ticker", [ticker], pl.Utf8),
      pl.Series("close", [1], pl.Float64),
    ]);
  const tickers = async (path: string) => (await readPrices(path)).getColumn("ticker").toArray();

  test.each(["closes[1].parquet", "clos?s1.parquet"])("%s", async (name) => {
    for (const neighbour of ["closes1", "closes2"]) {
      frameOf("OTHER").writeParquet(join(folder, `${neighbour}.parquet`));
    }
    frameOf("MINE").writeParquet(join(folder, name));
    expect(await tickers(join(folder, name))).toEqual(["MINE"]);
    await rm(join(folder, name));
    await expect(readPrices(join(folder, name))).rejects.toThrow("got none");
  });

  test.each(["closes[1].csv", "c*.csv", "closes[1].csv.gz"])("%s", async (name) => {
    const text = (ticker: string) => `date,ticker,close\n2026-11-19,${ticker},1\n`;
    const bytes = (ticker: string) => name.endsWith("gz") ? gzipSync(text(ticker)) : text(ticker);
    await put("closes1.csv", text("OTHER"));
    await put("closes1.csv.gz", gzipSync(text("OTHER")));
    expect(await tickers(await put(name, bytes("MINE")))).toEqual(["MINE"]);
  });
});

describe("files of other countries", () => {
  test("are read by their separator, decimals and dates", async () => {
    expect(
      await closesOf("Datum;Symbol;Schluss\n19.11.2026;A;3.838,05\n", {
        ...{ date: "Datum", ticker: "Symbol", close: "Schluss" },
        ...{ separator: ";", decimal: ",", dateFormat: "%d.%m.%Y" },
      }),
    ).toEqual(ONE);
    expect(
      await closesOf('date,ticker,close\n11/19/2026,A,"3,838.05"\n', {
        decimal: ".",
        dateFormat: "%m/%d/%Y",
      }),
    ).toEqual(ONE);
    expect(
      await closesOf("date\tticker\tclose\n19-Nov-26\tA\t3 838,05\n", {
        ...{ separator: "\t", decimal: ",", dateFormat: "%d-%b-%y" },
      }),
    ).toEqual(ONE);
  });

  test.each(
    [
      ["1,234,567.5", ".", 1_234_567.5],
      ["3,838", ".", 3838],
      ["3.838", ",", 3838],
      ["1'234.5", ".", 1234.5],
      ["12,5", ",", 12.5],
      ["1e3", ".", 1000],
      [".5", ".", 0.5],
    ] as const,
  )("have %s with decimal %s as %d", async (text, decimal, close) => {
    expect(await closesOf(`date,ticker,close\n2026-11-19,A,"${text}"\n`, { decimal }))
      .toEqual([["2026-11-19", "A", close]]);
  });

  test.each(
    [["3,83,805", "."], ["1.5", ","], ["1,5", "."], ["1,234.567,8", "."], ["", "."]] as const,
  )("have no number in %s with decimal %s", async (text, decimal) => {
    const content = `date,ticker,close\n2026-11-19,A,"${text}"\n`;
    if (text === "") {
      expect(await closesOf(content, { decimal })).toEqual([["2026-11-19", "A", null]]);
    } else expect(await messageOf(content, { decimal })).toContain(`got "${text}"; `);
  });

  test("whose dates have several readings are asked for the one; those that decide it name it", async () => {
    const withDates = (...dates: string[]) =>
      messageOf(`date,ticker,close\n${dates.map((date) => `${date},A,1`).join("\n")}\n`);
    expect(await withDates("01/02/2026")).toContain(
      'use dateFormat: "%m/%d/%Y" if the month comes first, or dateFormat: "%d/%m/%Y" if the day does',
    );
    expect(await withDates("01/02/2026", "01/13/2026")).toContain(
      'use dateFormat: "%m/%d/%Y", because no month is above 12',
    );
    expect(await withDates("01.02.2026", "13.02.2026")).toContain('use dateFormat: "%d.%m.%Y", b');
  });

  test.each(
    [
      ["2026-02-30", undefined, "the calendar has no such day in this form; correct the source"],
      ["20261301", undefined, "the calendar has no such day in this form; correct the source"],
      ["2026-02-30 00:00:00", undefined, "the calendar has no such day in this form;"],
      ["2026-02-30", "%Y-%m-%d", "the calendar has no such day in this form; correct the source"],
      ["02/30/2026", "%m/%d/%Y", "the calendar has no such day in this form; correct the source"],
      ["31-Feb-2026", "%d-%b-%Y", "the calendar has no such day in this form;"],
      ["2026-11-17", "%m/%d/%Y", "omit dateFormat, which such dates do not need"],
      ["17/11/2026", "%m/%d/%Y", 'use dateFormat: "%d/%m/%Y", because no month is above 12'],
      ["Total", undefined, "leave out rows without a date, such as totals and notes"],
    ] as const,
  )("with the date %s say what to do where the format is %s", async (date, dateFormat, advice) => {
    const content = `date,ticker,close\n${date},A,1\n`;
    const options = dateFormat === undefined ? {} : { dateFormat };
    expect(await messageOf(content, options)).toContain(`got "${date}"; ${advice}`);
  });

  test("whose dates have two forms are to be written in one", async () => {
    const content = "date,ticker,close\n11/17/2026,A,1\n2026-11-18,A,1\n";
    expect(await messageOf(content, { dateFormat: "%m/%d/%Y" }))
      .toContain('got "2026-11-18"; write all dates');
  });

  test("are refused where a format has no year, no day, or a time", async () => {
    for (const dateFormat of ["%m/%d", "%Y", "%Y-%m-%d %H", "YYYY-MM-DD", "%Y%Y-%m-%d"]) {
      await expect(readPrices(folder, { dateFormat })).rejects.toThrow(
        'expected dateFormat to have a year (%Y or %y), a month (%m, %b or %B) and, unless it is a month\'s, a day (%d), such as "%m/%d/%Y"',
      );
    }
  });
});

describe("a wide table", () => {
  const WIDE = ",AAPL,NA,BRK.B\n2026-11-19,1,2,3\n2026-11-20,1.5,,3.5\n";
  const LONG = [
    ["2026-11-19", "AAPL", 1],
    ["2026-11-19", "BRK.B", 3],
    ["2026-11-19", "NA", 2],
    ["2026-11-20", "AAPL", 1.5],
    ["2026-11-20", "BRK.B", 3.5],
    ["2026-11-20", "NA", null],
  ];
  test("of pandas, with its index without a name, is recognised and read", async () => {
    expect(await messageOf(WIDE)).toContain(
      'expected a column "ticker", got a column for each of 3 tickers (AAPL, NA, BRK.B); use layout: "wide"',
    );
    expect(await closesOf(WIDE, { layout: "wide" })).toEqual(LONG);
    expect(await closesOf(WIDE.replace(",", "Date,"), { layout: "wide" })).toEqual(LONG);
  });

  test("of 3,000 tickers has a short message", async () => {
    const tickers = Array.from({ length: 3000 }, (_, i) => `T${i}`);
    const message = await messageOf(`Date,${tickers.join(",")}\n2026-11-19${",1".repeat(3000)}\n`);
    expect(message).toContain("a column for each of 3,000 tickers (T0, T1, T2 and 2,997 more)");
    expect(message.length).toBeLessThan(300);
  });

  test("as a frame is read, too", async () => {
    const frame = pl.DataFrame({ date: ["2026-11-19"], AAPL: [1], MSFT: [2] });
    expect((await readPrices(frame, { layout: "wide" })).getColumn("ticker").toArray())
      .toEqual(["AAPL", "MSFT"]);
  });
});

describe("times of a Parquet file", () => {
  const at = (instant: string, zone: string) =>
    pl.DataFrame([
      pl.Series("date", [new Date(instant)], pl.Datetime("ms", zone)),
      pl.Series("ticker", ["A"], pl.Utf8),
      pl.Series("close", [1], pl.Float64),
    ]);
  const dateOf = async (frame: DataFrame, options: ReadPricesOptions = {}) => {
    const path = join(folder, "zone.parquet");
    frame.writeParquet(path);
    return dateText((await readPrices(path, options)).row(0)[0] as Date);
  };

  test("at midnight of their own zone are the date that they show", async () => {
    expect(await dateOf(at("2026-11-19T05:00:00Z", "America/New_York"))).toBe("2026-11-19");
    expect(await dateOf(at("2026-11-18T15:00:00Z", "Asia/Tokyo"))).toBe("2026-11-19");
  });

  test("at midnight of another zone are refused: 00:00 in UTC is the evening before in New York", async () => {
    await expect(dateOf(at("2026-11-19T00:00:00Z", "America/New_York"))).rejects.toThrow(
      'got "2026-11-18T19:00:00-05:00"; use timeZone: "UTC"',
    );
  });
});

describe("no file is too large for a message or the memory:", () => {
  test.each([["plain.csv", (text: string) => text], ["packed.csv.gz", gzipSync]])(
    "a first line of megabytes in %s is refused before it is taken for columns",
    async (name, pack) => {
      const path = join(folder, name);
      await writeFile(path, pack("ab,".repeat(1_000_000)));
      await expect(readPrices(path)).rejects.toThrow(
        `Cannot read the prices of ${name}: expected lines, the first one of at most 1,048,576 bytes, got more without an end`,
      );
    },
  );

  test.each([["plain.csv", (text: string) => text], ["packed.csv.gz", gzipSync]])(
    "a quote in %s that none closes is refused with its place, and not looked for to the end",
    async (name, pack) => {
      const head = 'date,ticker,close,name\n2026-11-18,A,1,"a, ""b"""\n2026-11-19,"A,1,\n';
      const path = await put(name, pack(head + "2026-11-20,A,1\n".repeat(80_000)));
      await expect(readPrices(path)).rejects.toThrow(
        `expected quotes in pairs, got one at byte ${head.indexOf('"A') + 1} that none closes`,
      );
    },
  );

  test("a path that is misspelt is answered with the file that lies there", async () => {
    await put("closes.csv", "date,ticker,close\n2026-11-19,A,1\n");
    await expect(readPrices(join(folder, "close.csv"))).rejects.toThrow("you mean closes.csv?");
  });

  test("what a compressed file inflates to has a bound", async () => {
    const bomb = gzipSync("0\n".repeat(1_500_000));
    const path = await put("bomb.csv.gz", bomb);
    const reading = readPrices(path, { maxInflatedBytes: 1_000_000 });
    await expect(reading).rejects.toThrow(IntegrityError);
    await expect(reading).rejects.toThrow(
      "expected a file that inflates to at most 1,000,000 bytes, got more; if the file is correct, raise maxInflatedBytes",
    );
  });

  test("a line of 5,000,000 characters is cut", async () => {
    const name = "x".repeat(1_000_000);
    const path = await put("line.csv.gz", gzipSync(`${name}\n${name}\n`));
    const message = String(await readPrices(path).catch((error: Error) => error.message));
    expect(message).toContain("(1,000,000 characters)");
    expect(message.length).toBeLessThan(400);
    const line = "x".repeat(5_000_000);
    const ticker = await messageOf(`date,ticker,close\n2026-11-19,${line},-1\n`);
    expect(ticker.length).toBeLessThan(400);
  });

  test("a list of names is the first six, each cut", () => {
    expect(listText(["a", "b"])).toBe("a, b");
    expect(listText([])).toBe("(none)");
    expect(listText(Array.from({ length: 50_000 }, (_, i) => `T${i}`))).toBe(
      "T0, T1, T2, T3, T4, T5 and 49,994 more",
    );
    expect(listText(["x".repeat(100)])).toBe(`${"x".repeat(40)}… (100 characters)`);
  });
});

test("closes that are not daily are said with the option for them, and are clean with it", async () => {
  const months = ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30"];
  const frame = pl.DataFrame({
    date: months,
    ticker: months.map(() => "A"),
    close: [1, 1.1, 1.2, 1.3],
  });
  const { report } = await readPrices(frame).withReport();
  expect(report.summary).toBe('dates that are not daily: 1 (30 days apart; frequency: "monthly")');
  expect((await readPrices(frame, { frequency: "monthly" }).withReport()).report.isClean).toBe(
    true,
  );
});

test("dates of another market are clean with a calendar of their own", async () => {
  const tokyo = ["2026-11-25", "2026-11-26", "2026-11-27"];
  const frame = pl.DataFrame({ date: tokyo, ticker: tokyo.map(() => "7203"), close: [1, 1, 1] });
  expect((await readPrices(frame).withReport()).report.summary).toContain("2026-11-26");
  expect((await readPrices(frame, { calendar: "own" }).withReport()).report.isClean).toBe(true);
});

function dateText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

describe("tickers of a source that have another name", () => {
  const prices = pl.DataFrame({
    date: ["2026-10-01", "2026-10-02", "2026-10-05", "2026-10-01"],
    ticker: ["AZQ", "AZQ", "AZQ", "BRK-B"],
    close: [50, 51, 27, 500],
  });
  test("are replaced by those of a table, so that a reused one is two", async () => {
    const tickers = pl.DataFrame({
      ticker: ["AZQ.OLD", "BRK.B"],
      other: ["AZQ", "BRK-B"],
      from: ["2026-01-01", null],
      to: ["2026-10-02", null],
    });
    const read = await readPrices(prices, { tickers });
    expect(read.rows().map(([date, ticker]) => [dateText(date as Date), ticker])).toEqual([
      ["2026-10-01", "AZQ.OLD"],
      ["2026-10-01", "BRK.B"],
      ["2026-10-02", "AZQ.OLD"],
      ["2026-10-05", "AZQ"],
    ]);
  });

  test("have one on each date", async () => {
    const tickers = pl.DataFrame({ ticker: ["A", "B"], other: ["AZQ", "AZQ"] });
    await expect(readPrices(prices, { tickers })).rejects.toThrow("do not overlap");
  });
});

// Written by Python's zipfile: into a pipe, with fields of 64 bits, and both.
const ARCHIVES = {
  streamed:
    "UEsDBBQACAAIAAAAIQAAAAAAAAAAAAAAAAAFAAAAYS5jc3ZLSSxJ1SnJTM5OLdJJzskvTuUyMjAy0zWw1DU00XHUMdQzRQiYggXMuABQSwcI/WknZyoAAAA0AAAAUEsBAhQDFAAIAAgAAAAhAP1pJ2cqAAAANAAAAAUAAAAAAAAAAAAAAIABAAAAAGEuY3N2UEsFBgAAAAABAAEAMwAAAF0AAAAAAA==",
  "of Zip64":
    "UEsDBC0AAAAIAAAAIQD9aSdn//////////8FABQAYS5jc3YBABAANAAAAAAAAAAqAAAAAAAAAEtJLEnVKclMzk4t0knOyS9O5TIyMDLTNbDUNTTRcdQx1DNFCJiCBcy4AFBLAQItAy0AAAAIAAAAIQD9aSdnKgAAADQAAAAFAAAAAAAAAAAAAACAAQAAAABhLmNzdlBLBQYAAAAAAQABADMAAABhAAAAAAA=",
  "of Zip64, streamed":
    "UEsDBC0ACAAIAAAAIQAAAAAA//////////8FABQAYS5jc3YBABAAAAAAAAAAAAAAAAAAAAAAAEtJLEnVKclMzk4t0knOyS9O5TIyMDLTNbDUNTTRcdQx1DNFCJiCBcy4AFBLBwj9aSdnKgAAAAAAAAA0AAAAAAAAAFBLAQItAy0ACAAIAAAAIQD9aSdnKgAAADQAAAAFAAAAAAAAAAAAAACAAQAAAABhLmNzdlBLBQYAAAAAAQABADMAAAB5AAAAAAA=",
};

test.each(Object.entries(ARCHIVES))(
  "an archive %s is read, and a flipped bit of its content is damage",
  async (_, base64) => {
    const bytes = Buffer.from(base64, "base64");
    const prices = await readPrices(await put("a.zip", bytes));
    expect(prices.getColumn("close").toArray()).toEqual([1.5, 1.6]);
    bytes[60]! ^= 4;
    await expect(readPrices(await put("b.zip", bytes))).rejects.toThrow(
      "expected a whole ZIP archive",
    );
  },
);

test("a folder's folders are read, and the names of parts are columns", async () => {
  const close = pl.DataFrame({ date: ["2026-09-14", "2026-09-15"], close: [71.5, 70.5] });
  for (const ticker of ["VZK", "WQD"]) {
    const part = join(folder, "parts", `ticker=${ticker}`, "year=2026");
    await mkdir(part, { recursive: true });
    close.writeParquet(join(part, "part-0.parquet"));
  }
  const prices = await readPrices(join(folder, "parts"));
  expect(prices.rows().map(([date, ticker]) => [dateText(date as Date), ticker])).toEqual([
    ["2026-09-14", "VZK"],
    ["2026-09-14", "WQD"],
    ["2026-09-15", "VZK"],
    ["2026-09-15", "WQD"],
  ]);
});

test.each([
  ["14SEP2026", "15SEP2026", "%d%b%Y", "2026-09-15"],
  ["14. Sep. 2026", "15. Okt. 2026", "%d. %b %Y", "2026-10-15"],
  ["14 sept. 2026", "15 déc. 2026", "%d %b %Y", "2026-12-15"],
  ["14-dic-2026", "15-ene-2026", "%d-%b-%Y", "2026-01-15"],
  ["14 März 2026", "15 Mai 2026", "%d %b %Y", "2026-05-15"],
])(
  "months in words as in %s are read by the format that the message names",
  async (one, two, format, date) => {
    const content = `date;ticker;close\n${one};A;1\n${two};A;1\n`;
    expect(await messageOf(content, { separator: ";" })).toContain(`use dateFormat: "${format}"`);
    const read = await closesOf(content, { separator: ";", dateFormat: format });
    expect(read.map((row) => (row as unknown[])[0])).toContain(date);
  },
);

test.each([
  "2026-09-13T22:00:00Z 2026-11-01T23:00:00Z Europe/Berlin 2026-09-14",
  "20260914 16:00:00 US/Eastern 20260915 16:00:00 US/Eastern America/New_York 2026-09-14",
])(
  "times of day are dates of the zone that the message names: %s",
  async (texts) => {
    const [one, two, zone, first] = /^(.+(?:Z|Eastern)) (.+(?:Z|Eastern)) (\S+) (\S+)$/.exec(texts)!
      .slice(1);
    const content = `date,ticker,close\n${one},A,1\n${two},A,1\n`;
    expect(await messageOf(content)).toContain(`use timeZone: "${zone}"`);
    expect((await closesOf(content, { timeZone: zone! }))[0]).toEqual([first, "A", 1]);
  },
);

test.each([["nan", "nan"], ["inf", "inf"], ["0", "0"]])(
  "a close of %s is missing by the token that the message names",
  async (text, token) => {
    const content = `date,ticker,close\n2026-09-14,A,1\n2026-09-15,A,${text}\n`;
    expect(await messageOf(content)).toContain(`use missing: "${token}"`);
    expect((await closesOf(content, { missing: token }))[1]).toEqual(["2026-09-15", "A", null]);
  },
);

test("a return of a delisting that the returns of its row hold already is not earned twice", async () => {
  const content = "permno,dlycaldt,dlyret,delret\n" +
    "80011,2026-09-14,0.01,\n80011,2026-09-15,-0.3,-0.3\n80012,2026-09-14,0.02,\n";
  const options = { returns: "dlyret", delisting: "delret" };
  expect(await closesOf(content, options)).toEqual([
    ["2026-09-14", "80011", 1.01],
    ["2026-09-14", "80012", 1.02],
    ["2026-09-15", "80011", 1.01 * 0.7],
  ]);
});

describe("a line that lacks fields is refused with its number", () => {
  const names = "date,ticker,open,close,volume\n";
  const whole = "2026-11-18,A,1,2,300\n";

  test("where its close is missing, or stands under another name", async () => {
    expect(await messageOf(`${names}${whole}2026-11-19,A,1\n${whole}`)).toContain("3 in line 3");
    const shifted = "2026-11-19,A,2,300\r\n2026-11-20,A,2,300\r\n";
    expect(await messageOf(`${names}${whole}${shifted}`)).toContain("4 in line 3, the first of 2");
    expect(await messageOf(`${names}${whole}2026-11-19,"A, B",2,300\n`)).toContain("4 in line 3");
  });

  test("below lines that are skipped, in a packed and in a wide file", async () => {
    const short = `${names}${whole}2026-11-19,A,1\n`;
    expect(await messageOf(`a\nb\n${short}`, { skip: 2 })).toContain("3 in line 5");
    const packed = await put("short.csv.gz", gzipSync(short));
    await expect(readPrices(packed)).rejects.toThrow("3 in line 3");
    const wide = "date,A,B\n2026-11-18,1,2\n2026-11-19,1\n";
    expect(await messageOf(wide, { layout: "wide" })).toContain("2 in line 3");
  });

  test("but not an empty last field, a remark that is cut off, or names that end with a separator", async () => {
    const read = [["2026-11-18", "A", 2], ["2026-11-19", "A", 3]];
    expect(await closesOf(`${names}${whole}2026-11-19,A,1,3,\n`)).toEqual(read);
    expect(await closesOf(`${names}${whole}2026-11-19,A,1,3,1\nsum,1\n`, { footer: 1 }))
      .toEqual(read);
    expect(await closesOf("date,ticker,close,\n2026-11-18,A,2\n2026-11-19,A,3\n")).toEqual(read);
  });
});
