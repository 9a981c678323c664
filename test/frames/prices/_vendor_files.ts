import { Buffer } from "node:buffer";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import pl from "nodejs-polars";

/** A file as a vendor or a library writes it: its name and content, or what writes it to a path. */
export type VendorFile = readonly [
  name: string,
  content: string | Uint8Array | ((path: string) => void),
];

const BARS =
  "Date,Open,High,Low,Close,Volume\n2026-10-01,50.1,51,49.8,50.5,1000\n2026-10-02,50.5,52,50.1,51.5,1200\n";
const LONG = "date,ticker,close\n2026-10-01,AZQ,50.5\n2026-10-02,AZQ,51.5\n";
const rows = (head: string, ...lines: readonly string[]) => [head, ...lines, ""].join("\n");
/** Two sessions of one ticker, with further fields. */
const two = (head: string, first: string, second: string) =>
  rows(head, `2026-10-01,AZQ,${first}`, `2026-10-02,AZQ,${second}`);

/** Layouts of vendors and of mistakes with them, invented after the shapes of public files. */
export const VENDOR_FILES: readonly VendorFile[] = [
  ["AZQ.csv", BARS],
  ["azq.us.csv", BARS],
  ["kaggle_spy.csv", `,${BARS.replaceAll("\n2", "\n0,2")}`],
  ["tabs.tsv", LONG.replaceAll(",", "\t")],
  ["tabs.csv", LONG.replaceAll(",", "\t")],
  ["bars.txt", LONG.replaceAll(",", "|")],
  ["packed.csv.gz", gzipSync(LONG)],
  ["packed.zip", zipOf({ "closes.csv": LONG })],
  ["packed_two.zip", zipOf({ "a.csv": LONG, "b.csv": LONG })],
  [
    "decimal.parquet",
    (path) => frame().withColumns(pl.col("close").cast(pl.Decimal(12, 2))).writeParquet(path),
  ],
  [
    "long_fields.csv",
    rows(
      "date,ticker,field,value",
      "2026-10-01,AZQ,close,50.5",
      "2026-10-01,AZQ,volume,1000",
      "2026-10-02,AZQ,close,51.5",
      "2026-10-02,AZQ,volume,1200",
    ),
  ],
  [
    "long_fields_adjusted.csv",
    rows(
      "date,ticker,variable,value",
      "2026-10-01,AZQ,Close,101",
      "2026-10-01,AZQ,Adj Close,50.5",
      "2026-10-02,AZQ,Close,51.5",
      "2026-10-02,AZQ,Adj Close,51.5",
    ),
  ],
  [
    "alphavantage.csv",
    rows(
      "timestamp,open,high,low,close,adjusted_close,volume,dividend_amount,split_coefficient",
      "2026-10-02,50,52,50,51.5,51.5,1200,0.0,2.0",
      "2026-10-01,100,103,99,101,50.5,1000,0.0,1.0",
    ),
  ],
  [
    "tiingo.csv",
    two(
      "date,ticker,close,adjClose,adjHigh,adjVolume,divCash,splitFactor",
      "101,50.5,51,2000,0,1",
      "51.5,51.5,52,1200,0,2",
    ),
  ],
  [
    "sharadar.csv",
    rows(
      "ticker,date,open,high,low,close,volume,closeadj,closeunadj,lastupdated",
      "AZQ,2026-10-01,50,51,49,50.5,1000,50.1,101,2026-10-03",
      "AZQ,2026-10-02,50,52,50,51.5,1200,51.5,51.5,2026-10-03",
    ),
  ],
  [
    "quandl_wiki.csv",
    rows(
      "ticker,date,open,close,volume,ex-dividend,split_ratio,adj_open,adj_close,adj_volume",
      "AZQ,2026-10-01,100,101,1000,0,1,50,50.5,2000",
      "AZQ,2026-10-02,50,51.5,1200,0,2,50,51.5,1200",
    ),
  ],
  [
    "crsp.csv",
    rows(
      "PERMNO,date,TICKER,PRC,RET,CFACPR",
      "10001,20261001,AZQ,101.00,0.01,2",
      "10001,20261002,AZQ,-51.50,0.0198,1",
    ),
  ],
  [
    "crsp_v2.csv",
    rows(
      "permno,dlycaldt,ticker,dlyprc,dlyret",
      "10001,2026-10-01,AZQ,50.5,0.01",
      "10001,2026-10-02,AZQ,51.5,0.0198",
    ),
  ],
  ["crsp_returns.csv", rows("date,ticker,ret", "2026-10-01,AZQ,0.01", "2026-10-02,AZQ,0.02")],
  [
    "polygon.csv",
    rows(
      "ticker,volume,open,close,high,low,window_start,transactions",
      "AZQ,1000,50,50.5,51,49,1790827200000000000,9",
      "AZQ,1200,50,51.5,52,50,1790913600000000000,8",
    ),
  ],
  [
    "refinitiv.csv",
    rows("Instrument,Date,Price Close", "AZQ.N,2026-10-01,50.5", "AZQ.N,2026-10-02,51.5"),
  ],
  [
    "yfinance.csv",
    rows(
      "Price,Close,Close,Volume,Volume",
      "Ticker,AZQ,BQR,AZQ,BQR",
      "Date,,,,",
      "2026-10-01,50.5,10.2,1000,900",
      "2026-10-02,51.5,10.3,1200,800",
    ),
  ],
  [
    "yfinance_raw.csv",
    rows(
      "Ticker,AZQ,AZQ,BQR,BQR",
      "Price,Adj Close,Close,Adj Close,Close",
      "Date,,,,",
      "2026-10-01,50.5,101,10.2,10.2",
      "2026-10-02,51.5,51.5,10.3,10.3",
    ),
  ],
  [
    "yfinance_history.csv",
    two("Date,Symbol,Close,Dividends,Stock Splits", "50.5,0.0,0.0", "51.5,0.0,2.0"),
  ],
  [
    "qlib.csv",
    rows("datetime,instrument,$close,$factor", "2026-10-01,AZQ,50.5,0.5", "2026-10-02,AZQ,51.5,1"),
  ],
  [
    "investing.csv",
    rows(
      '"Date","Price","Open","Vol.","Change %"',
      '"Oct 02, 2026","1,051.50","1,050.00","1.2K","1.98%"',
      '"Oct 01, 2026","1,050.50","1,050.00","1.0K","0.10%"',
    ),
  ],
  [
    "yahoo_one.csv",
    rows("Date,Open,High,Low,Close,Adj Close,Volume", "2026-10-01,50,51,49,50.5,48.2,1000"),
  ],
  ["german.csv", "Datum;Symbol;Schluss\n01.10.2026;AZQ;1.050,5\n13.10.2026;AZQ;1.051,5\n"],
  ["excel_sep.csv", "sep=;\ndate;ticker;close\n2026-10-01;AZQ;50,5\n"],
  ["mark.csv", `\ufeff${LONG}`],
  ["utf16.csv", Buffer.from(`\ufeff${LONG}`, "utf16le")],
  ["login.csv", "<!DOCTYPE html>\n<html><body>Please sign in</body></html>\n"],
  ["remark.csv", `# This file was created by a vendor\n# on 2026-10-03\n${LONG}`],
  ["remark_commas.csv", `Source: a vendor, New York, closes\n${LONG}`],
  ["unnamed_index.csv", `,${LONG.replaceAll("\n2", "\n0,2")}`],
  ["level_0.csv", rows("level_0,Date,AZQ,BQR", "0,2026-10-01,50.5,10.2", "1,2026-10-02,51.5,10.3")],
  ["wide.csv", rows("Date,AZQ,BQR", "2026-10-01,50.5,10.2", "2026-10-02,51.5,")],
  ["wide_months.csv", rows("Date,AZQ,BQR", "2026-09,50.5,10.2", "2026-10,51.5,10.3")],
  ["month_names.csv", rows("date,ticker,close", "Sep-26,AZQ,50.5", "Oct-26,AZQ,51.5")],
  ["blank_names.csv", LONG.replaceAll("close", " Close ")],
  ["quoted.csv", LONG.replaceAll(/[^,\n]+/g, '"$&"')],
  ["trailing_comma.csv", LONG.replaceAll("\n", ",\n")],
  ["two_tokens.csv", two("date,ticker,close", "N/A", "-")],
  ["euro.csv", two("date,ticker,close", "50.50 €", "51.50 €")],
  ["dollars.csv", two("date,ticker,close", "USD 50.50", "USD 51.50")],
  ["thousands.csv", two("date,ticker,close", '"1,050"', '"1,051"')],
  ["thousands_sure.csv", two("date,ticker,close", '"1,050.5"', '"1,051"')],
  ["other_duplicates.csv", rows("date,ticker,close", "2026-10-01,AZQ,50.5", "2026-10-01,AZQ,50.6")],
  ["close.1.csv", two("date,ticker,close,close.1", "101,50.5", "51.5,51.5")],
  ["close_right.csv", two("date,ticker,close,close_right", "101,50.5", "51.5,51.5")],
  ["price_beside.csv", two("date,ticker,close,price", "101,50.5", "51.5,51.5")],
  ["total_return_index.csv", two("date,ticker,close,total_return_index", "101,50.5", "51.5,51.5")],
  ["split_factor.csv", two("date,ticker,close,split_factor", "101,1", "51.5,2")],
  ["no_split.csv", two("date,ticker,close,split,dividend", "50.5,1,0", "51.5,1,0")],
  ["ajexdi_close.csv", two("date,ticker,close,ajexdi", "101,2", "51.5,1")],
  ["cfacpr_close.csv", two("date,ticker,close,cfacpr", "101,2", "51.5,1")],
  ["volume_alone.csv", two("date,ticker,volume", "1000", "1200")],
  ["no_ticker_no_close.csv", rows("date,open,high,low,volume", "2026-10-01,50,51,49,1000")],
  ["kaggle_names.csv", rows("date,Name,close,volume", "2026-10-01,AZQ Corporation Inc.,50.5,1000")],
  ["no_head.csv", rows("2026-10-01,AZQ,50.5", "2026-10-02,AZQ,51.5")],
  ["total_below.csv", `${LONG}Total,,102\n`],
  ["slashes.csv", rows("date,ticker,close", "2026/10/01,AZQ,50.5", "2026/10/02,AZQ,51.5")],
  ["time_of_close.csv", rows("date,ticker,close", "2026-10-01 16:00:00,AZQ,50.5")],
  ["percent.csv", two("date,ticker,close", "1.5%", "-2%")],
  ["percent_comma.csv", rows("date;ticker;close", "2026-10-01;AZQ;1,5 %", "2026-10-02;AZQ;-2 %")],
  ["percent_wide.csv", rows("date,AZQ,BXR", "2026-10-01,1.5%,0.5%", "2026-10-02,-2%,1%")],
  ["nine_codes.csv", two("date,ticker,close", "50.5", "-999")],
];

function frame() {
  return pl.DataFrame({
    date: ["2026-10-01", "2026-10-02"],
    ticker: ["AZQ", "AZQ"],
    close: [50.5, 51.5],
  });
}

/** A ZIP archive of deflated files, as common tools write it. */
function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const [name, text] of Object.entries(files)) {
    const [title, packed] = [Buffer.from(name), deflateRawSync(text)];
    const sizes = Buffer.alloc(14);
    sizes.writeUInt32LE(crc32(text));
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(text.length, 8);
    sizes.writeUInt16LE(title.length, 12);
    const at = Buffer.concat(locals).length;
    const facts = Buffer.concat([
      Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 0, 0]),
      sizes,
      Buffer.alloc(2),
    ]);
    locals.push(Buffer.from("PK\u0003\u0004"), facts, title, packed);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), facts, place, title);
  }
  const [body, directory] = [Buffer.concat(locals), Buffer.concat(entries)];
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(body.length, 12);
  return Buffer.concat([body, directory, Buffer.from("PK\u0005\u0006"), end]);
}
