import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll } from "vitest";
import * as analysis from "../../src/analysis/mod.ts";
import * as scoreframe from "../../mod.ts";
import { epochDayOf, fromEpochDay } from "../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../src/base/calendar/list_sessions.ts";
import { randomOf } from "../analysis/_frames.ts";
import { type Cell, mistakes } from "./_mistakes.ts";

const { readPrices } = scoreframe as unknown as Cell;
const {
  align,
  alphaBeta,
  analyzeFactor,
  forwardReturns,
  informationSummary,
  judgement,
  performance,
  tradingCosts,
} = analysis as unknown as Cell;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-price-mistakes-"));
  await mkdir(join(folder, "prices.parquet"));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
/** Reads a file of this name with this content. */
async function file(name: string, content: string | Uint8Array, options = {}): Promise<unknown> {
  const path = join(folder, `${files++}${name}`);
  await writeFile(path, content);
  return await readPrices!(path, options);
}

const HEAD = "date,ticker,close\n";
const csv = (text: string, options = {}) => file(".csv", text, options);
const line = (text: string, options = {}) => csv(`${HEAD}${text}\n`, options);

// The week of Thanksgiving 2026.
const DAYS = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-27", "2026-11-30"];
const MONTHS = ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29"];

/** Closes of one ticker, with columns changed. */
function closes(changed: Readonly<Record<string, readonly unknown[]>> = {}): DataFrame {
  const { date = DAYS } = changed;
  const usual = { ticker: date.map(() => "A"), close: date.map((_, i) => 10 + i / 10) };
  return pl.DataFrame({ date, ...usual, ...changed } as unknown as Record<string, unknown[]>);
}

const on = (...date: readonly string[]) => closes({ date });
const scores = (date: readonly string[] = DAYS) =>
  pl.DataFrame({ date, ticker: date.map(() => "A"), score: date.map((_, i) => i / 10) });
const quiet = { progress: false, periods: [1], lags: [1] };
/** The judgement of an analysis, without the ends of its lines. */
async function analyse(prices: DataFrame, options = {}, date?: readonly string[]): Promise<string> {
  const found = await analyzeFactor!(scores(date), prices, { ...quiet, ...options });
  return String(judgement!(found)).replace(/\s+/g, " ");
}
/** Closes of six stocks over 300 sessions. */
const WALKS = Array.from({ length: 6 }, (_, t) => {
  const random = randomOf(31 + t);
  let level = 100;
  return Array.from({ length: 300 }, () => level *= 1 + 0.02 * (random() - 0.5));
});
const SESSION_DATES = listSessionDays(epochDayOf(2024, 1, 2), epochDayOf(2026, 1, 2)).slice(0, 300)
  .map(fromEpochDay);
const walksOf = (name: string, of: (walk: readonly number[], d: number) => number) =>
  pl.DataFrame(WALKS.flatMap((walk, t) =>
    SESSION_DATES.flatMap((date, d) => {
      const value = of(walk, d);
      return Number.isNaN(value) ? [] : [{ date, ticker: `T${t}`, [name]: value }];
    })
  ));
/** Returns over so many sessions on every date. */
const overlapping = (sessions: number) =>
  forwardReturns!(walksOf("return", (walk, d) => walk[d]! / (walk[d - sessions] ?? NaN) - 1));
/** Means of so many closes. */
const smoothed = (sessions: number) =>
  forwardReturns!(
    walksOf("close", (walk, d) =>
      d < sessions
        ? NaN
        : walk.slice(d - sessions + 1, d + 1).reduce((sum, one) =>
          sum + one, 0) / sessions),
  );
const monthly = pl.DataFrame({ date: MONTHS, return: MONTHS.map((_, i) => i / 100) });

mistakes("a file of prices that another program wrote", {
  "a CSV with semicolons": [
    () => csv("Datum;Symbol;Schluss\n19.11.2026;A;38,38\n"),
    'got one column Datum;Symbol;Schluss; use separator: ";", decimal: ","',
  ],
  "a CSV with tabs": [() => csv("date\tticker\tclose\n"), 'use separator: "\\t"'],
  "a CSV with bars": [() => csv("date|ticker|close\n"), 'use separator: "|"'],
  "decimals with a comma that is a separator, too": [
    () => line("2026-11-19,A,38,38"),
    "a comma inside a number splits it into two fields",
  ],
  "the line for Excel above the names": [
    () => csv("sep=;\ndate;ticker;close\n"),
    'got sep=; above them; use skip: 1, separator: ";"',
  ],
  "a CSV without names of columns": [
    () => csv("2026-11-19,A,38\n2026-11-20,A,39\n"),
    "got the columns 2026-11-19, A, 38, which are data; write the names of the columns above them",
  ],
  "a comment above the names of columns": [
    () => csv("# closes of a vendor\ndate,ticker,close\n"),
    "got # closes of a vendor above them; use skip: 1",
  ],
  "a title above the names of columns": [
    () => csv("Closes 2026,,\ndate,ticker,close\n"),
    "got Closes 2026,, above them; use skip: 1",
  ],
  "a CSV of pandas that lost the tickers NA, NULL and NAN": [
    () => csv(",date,ticker,close\n0,2026-11-19,,1\n"),
    "dropping these rows can drop companies; read the source with keep_default_na=False",
  ],
  "a blank line in a CSV": [
    () => line("2026-11-19,A,1\n\n2026-11-20,A,1"),
    "got 1 row without one (the first is row 2); look for a blank line, a total or a note",
  ],
  "two CSVs one below the other, with both heads": [
    () => csv(`${HEAD}2026-11-19,A,1\n${HEAD}2026-11-20,A,1\n`),
    'got "date"; this may be a second header line',
  ],
  "a table of yfinance with two levels of columns": [
    () => csv("Price,Close,Close\nTicker,AAPL,MSFT\nDate,,\n2026-11-19,1,2\n"),
    "got 3 lines of names (Price,Close,Close, Ticker,AAPL,MSFT, Date,,); use header: 3",
  ],
  "bars of one ticker": [
    () => csv("Date,Open,High,Low,Close,Volume\n2026-11-19,1,2,1,2,100\n"),
    'as in a file of one ticker; use ticker: { file: "*" } if the name of the file is its ticker, or use ticker: { text: "…" }',
  ],
  "names of columns that say nothing": [
    () => csv("when,who,what\n2026-11-19,A,1\n"),
    'give the names of yours, such as { ticker: "who", close: "what" }',
  ],
  "a table with a column a ticker": [
    () => csv("Date,AAPL,MSFT\n2026-11-19,1,2\n"),
    'got a column for each of 2 tickers (AAPL, MSFT); use layout: "wide"',
  ],
  "a wide table of bars": [
    () => csv("Date,Open,Close\n2026-11-19,1,2\n", { layout: "wide" }),
    "expected one column of closes for each ticker, got Open, Close",
  ],
  "closes named beside adjusted closes in a file": [
    () => csv("date,ticker,close,Adj Close\n2026-11-19,A,40,10\n", { close: "close" }),
    '(nothing in the file shows it); use { close: "Adj Close" }',
  ],
  "two columns of closes with one name": [
    () => csv("date,ticker,close,close\n2026-11-19,A,1,2\n"),
    'expected one column "close", got several with that name',
  ],
  "volume for the close": [
    () => csv("date,ticker,vol\n2026-11-19,A,100\n2026-11-20,A,900\n", { close: "vol" }),
    "jumps of the size of a split: 1 (2026-11-20 A ×9)",
  ],
  "a CSV that is named Parquet": [() => file(".parquet", HEAD), "expected a whole Parquet file"],
  "a Parquet file that is named CSV": [() => csv("PAR1\0,\n"), "expected text"],
  "text of Excel in UTF-16": [() => file(".csv", utf16(HEAD)), 'save it as "CSV UTF-8"'],
  "text in Latin-1": [
    () => file(".csv", latin1(`${HEAD}2026-11-19,Ä,1\n`)),
    'save it as "CSV UTF-8"',
  ],
  "a gzip file that is cut": [
    () => file(".csv.gz", gzipSync(HEAD).subarray(0, 20)),
    "expected a whole CSV file",
  ],
  "a gzip bomb": [
    () => file(".csv.gz", gzipSync("0\n".repeat(1_000_000)), { maxInflatedBytes: 1_000_000 }),
    "expected a file that inflates to at most 1,000,000 bytes",
  ],
  "an Excel file": [
    () => readPrices!("closes.xlsx"),
    "a path that ends in .csv, .txt, .tsv, .csv.gz, .zip, .parquet, .feather or .arrow, got",
  ],
  "an address": [() => readPrices!("https://example.com/p.csv"), "got the address"],
  "a bucket": [() => readPrices!("s3://bucket/p.parquet"), "got the address"],
  "a folder without files": [
    () => readPrices!(join(folder, "prices.parquet")),
    ".feather or .arrow at",
  ],
  "a pattern without files": [() => readPrices!(join(folder, "*.tsv")), "*.tsv, got none"],
  "no path": [() => readPrices!(), "expected a frame or the path of a file, got nothing"],
  "rows instead of a frame": [() => readPrices!([{ close: 1 }]), "got an array of 1"],
  "a lazy frame of prices": [() => readPrices!(closes().lazy()), "with await frame.collect()"],
});

mistakes("dates and numbers of prices as other programs write them", {
  "American dates": [
    () => line("11/19/2026,A,1"),
    'got "11/19/2026"; use dateFormat: "%m/%d/%Y", because no month is above 12',
  ],
  "European dates": [() => line("19.11.2026,A,1"), 'use dateFormat: "%d.%m.%Y", because'],
  "dates of two readings": [
    () => line("01/02/2026,A,1"),
    '"%m/%d/%Y" if the month comes first, or dateFormat: "%d/%m/%Y" if the day does',
  ],
  "years of two digits": [() => line("11/19/26,A,1"), 'use dateFormat: "%m/%d/%y"'],
  "dates with slashes": [() => line("2026/11/19,A,1"), 'use dateFormat: "%Y/%m/%d"'],
  "months as words": [() => line("19-Nov-2026,A,1"), 'use dateFormat: "%d-%b-%Y"'],
  "dates as Excel counts them": [
    () => line("46345,A,1"),
    "this may be Excel's serial number of a day",
  ],
  "dates as seconds": [() => line("1795046400,A,1"), 'use timeZone: "UTC", in which all'],
  "months without a day": [() => line("2026-11,A,1"), 'use dateFormat: "%Y-%m" for months'],
  "times of a day": [
    () => line("2026-11-19 16:00:00,A,1\n2026-11-20 09:30:00,A,1"),
    "at 09:30 and 16:00 without a zone",
  ],
  "30 February among prices": [() => line("2026-02-30,A,1"), 'got "2026-02-30"'],
  "a format of JavaScript": [
    () => line("19.11.2026,A,1", { dateFormat: "DD.MM.YYYY" }),
    'such as "%m/%d/%Y", got "DD.MM.YYYY"',
  ],
  "American dates in a European format": [
    () => line("11/19/2026,A,1", { dateFormat: "%d/%m/%Y" }),
    'expected dates in the form "%d/%m/%Y", got "11/19/2026"; use dateFormat: "%m/%d/%Y"',
  ],
  "dates as numbers of a frame": [
    () => readPrices!(closes({ date: DAYS.map((day) => Number(day.replaceAll("-", ""))) })),
    "make it text, by pl.col(NAME).cast(pl.Int32).cast(pl.Utf8)",
  ],
  "a thousand with a comma": [
    () => line('2026-11-19,A,"3,838.05"'),
    'got "3,838.05"; use decimal: ".", so that commas group thousands',
  ],
  "a comma of two readings": [
    () => line('2026-11-19,A,"3,838"'),
    'use decimal: "." if the comma groups thousands, or decimal: ","',
  ],
  "a decimal comma": [() => line('2026-11-19,A,"38,38"'), 'use decimal: ","'],
  "a currency": [() => line("2026-11-19,A,$38.38"), 'use currency: "$", if all closes are in it'],
  "a percentage": [
    () => line("2026-11-19,A,1.5%"),
    'returns: "close", percent: true, currency: "%"',
  ],
  "a word for no close": [
    () => line("2026-11-19,A,N/A"),
    'use missing: "N/A" if it stands for no close',
  ],
  "NaN for no close": [
    () => line("2026-11-19,A,NaN"),
    "not positive and finite: 1 (2026-11-19 A: NaN)",
  ],
  "a close of zero": [() => line("2026-11-19,A,0"), "not positive and finite: 1 (2026-11-19 A: 0)"],
  "a close of 10^300": [() => line("2026-11-19,A,1e300"), "above 1000000000000000: 1"],
  "a row twice": [
    () => line("2026-11-19,A,1\n2026-11-19,A,2"),
    "repeat a date and ticker with another close: 1",
  ],
  "the option of pandas": [() => line("", { sep: ";" }), 'got "sep"; did you mean separator?'],
  "an option for dates of pandas": [
    () => line("", { parse_dates: true }),
    "did you mean dateFormat?",
  ],
  "two characters between fields": [() => line("", { separator: ";;" }), "to be one character"],
  "another word for wide": [
    () => line("", { layout: "pivot" }),
    'one of "long", "wide", "pairs", "across", got "pivot"',
  ],
});

mistakes("prices that are not the daily closes of sessions", {
  "monthly closes": [
    () => analyse(on(...MONTHS), {}, MONTHS),
    'got dates that are 29 days apart (2026-01-30, 2026-02-27, 2026-03-31, …); use frequency: "monthly"',
  ],
  "monthly closes, read from a file": [
    () => readPrices!(on(...MONTHS)),
    'dates that are not daily: 1 (29 days apart; frequency: "monthly")',
  ],
  "weekly closes": [
    () => forwardReturns!(on("2026-10-02", "2026-10-09", "2026-10-16")),
    'use frequency: "weekly" if these are weekly closes',
  ],
  "closes of every second session": [
    () => forwardReturns!(on("2026-10-05", "2026-10-07", "2026-10-09", "2026-10-13", "2026-10-15")),
    "expected prices on the sessions of the market, got none on 4 of 9",
  ],
  "daily closes that are called monthly": [
    () => forwardReturns!(closes(), { frequency: "monthly" }),
    "got dates that are 1 day apart",
  ],
  "a frequency of pandas": [
    () => forwardReturns!(on(...MONTHS), { frequency: "ME" }),
    'got "ME"; did you mean "monthly"?',
  ],
  "a slip in frequency": [
    () => forwardReturns!(closes(), { freq: "weekly" }),
    "did you mean frequency?",
  ],
  "months that are labelled by their first day": [
    () => analyse(on("2026-01-01", "2026-02-01", "2026-03-01"), { frequency: "monthly" }),
    'got the first days of their periods (2026-01-01, a Thursday; 2026-02-01, a Sunday; 2026-03-01, a Sunday); use labels: "start"',
  ],
  "months that begin with a session": [() => {
    const starts = ["2026-01-02", "2026-02-02", "2026-03-02", "2026-04-01"];
    return analyse(on(...starts), { frequency: "monthly" }, starts);
  }, "All dates of the prices are at the start of a month"],
  "weeks that are labelled by their Monday, as Yahoo has them": [() => {
    const mondays = ["2026-10-05", "2026-10-12", "2026-10-19", "2026-10-26"];
    return analyse(on(...mondays), { frequency: "weekly" }, mondays);
  }, "All dates of the prices are at the start of a week: closes of its end would be known"],
  "two closes in a week": [
    () =>
      forwardReturns!(on("2026-10-02", "2026-10-07", "2026-10-09", "2026-10-16", "2026-10-23"), {
        frequency: "weekly",
      }),
    "expected one row per week and ticker, got several for 2026-10-09 A; keep the last close of each week",
  ],
  "a Saturday among the sessions": [
    () => forwardReturns!(on("2026-11-27", "2026-11-28", "2026-11-30")),
    'got 1 that is not (2026-11-28, a Saturday); use strays: "omit" to omit them',
  ],
  "closes that are filled over holidays": [
    () => forwardReturns!(on("2026-11-25", "2026-11-26", "2026-11-27")),
    "2026-11-26, a Thursday",
  ],
  "closes that are filled over weekends, left out": [
    () => analyse(on("2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"), { strays: "omit" }),
    "2 dates of the prices are not sessions, and their rows are left out (2026-11-28, 2026-11-29)",
  ],
  "a session without prices": [
    () => analyse(on("2026-11-23", "2026-11-24", "2026-11-27", "2026-11-30")),
    "1 session has no price of any ticker (2026-11-25)",
  ],
  "no Mondays": [
    () => forwardReturns!(on(...datesWithout(1))),
    "2026-03-09, a Monday; 2026-03-16, a Monday",
  ],
  "a market of seven days a week": [
    () => performance!(pl.DataFrame({ session: everyDay(60), return: Array(60).fill(0.01) })),
    "give periodsPerYear: 365 if the market trades every day",
  ],
  "the calendar of another exchange by its name": [
    () => forwardReturns!(closes(), { calendar: "XTKS" }),
    'expected calendar to be "us", "own" or a frame with date, open_at and close_at, got "XTKS"',
  ],
  "another market with scores that have instants": [() => {
    const at = pl.Series("at", [new Date("2026-11-24T15:00:00Z")], pl.Datetime("ms", "UTC"));
    const live = scores(["2026-11-24"]).drop("date").hstack([at]);
    return align!(live, forwardReturns!(closes(), { calendar: "own" }));
  }, "expected the closes of the sessions"],
  "a stray Saturday in a market of its own": [
    () => analyse(on("2026-11-24", "2026-11-25", "2026-11-27", "2026-11-28"), { calendar: "own" }),
    "1 session is on a weekend (2026-11-28)",
  ],
  "sessions of another year": [
    () => forwardReturns!(closes(), { sessions: ["2020-01-02", "2020-01-03"] }),
    "expected prices on the sessions, got none; the prices have the dates 2026-11-23 to 2026-11-30",
  ],
  "returns of five sessions on every date, for those of one": [
    () => overlapping(5),
    "in the median of 6 tickers, as returns over 5 sessions on each date have",
  ],
  "closes that are a mean of twenty-one": [
    () => smoothed(21),
    "or closes that are a mean of about",
  ],
  "monthly returns for daily ones": [
    () => performance!(monthly),
    "because the sessions are 29 days apart",
  ],
  "monthly returns and costs": [
    () => tradingCosts!(monthly.withColumn(pl.lit(0).alias("traded"))),
    "give periodsPerYear: 12 if each return is of such a period",
  ],
  "monthly returns and their alpha": [
    () => alphaBeta!(monthly, monthly),
    "give periodsPerYear: 12",
  ],
  "a year of text": [
    () => performance!(monthly, { periodsPerYear: "12" }),
    'such as 12 for monthly returns, got "12"',
  ],
  "a year of 400 days": [
    () => forwardReturns!(closes(), { periodsPerYear: 400 }),
    "above 0 and at most 366",
  ],
});

mistakes("frames of prices in other units and forms", {
  "an unadjusted split": [
    () => analyse(closes({ close: [40, 41, 10.1, 10.2, 10.3] })),
    "1 close moved by the size of a split or more (2026-11-25 A ×0.246)",
  ],
  "cents that become dollars": [
    () => analyse(closes({ close: [4000, 4100, 40.5, 41, 42] })),
    "(2026-11-25 A ×0.00988)",
  ],
  "a reverse split after a pause": [
    () => analyse(closes({ close: [1, 1.01, null, 10.1, 10.2] })),
    "(2026-11-27 A ×10)",
  ],
  "returns instead of prices": [
    () => forwardReturns!(closes({ close: [0.01, -0.02, 0.01, 0.03, 0] })),
    "expected prices above 0, from 1e-12 to 1000000000000000, in the column close, got -0.02",
  ],
  "closes of 10^300 in a frame": [
    () => forwardReturns!(closes({ close: [1e300, 1e300, 1e300, 1e300, 1e300] })),
    "look for another unit or a number that was read wrongly",
  ],
  "infinite closes": [
    () => forwardReturns!(closes({ close: [1, Infinity, 1, 1, 1] })),
    "expected finite numbers in the column close",
  ],
  "null tickers in a frame": [
    () => forwardReturns!(closes({ ticker: ["A", "A", null, "A", "A"] })),
    "got 1 row without (the first is row 2, 2026-11-25); pandas reads the tickers NA",
  ],
  "tickers that became numbers": [
    () => forwardReturns!(closes({ ticker: [1, 1, 1, 1, 1] })),
    "a ticker that was read as a number lost its form",
  ],
  "closes beside adjusted closes in a frame": [
    () => forwardReturns!(closes().withColumn(pl.lit(1).alias("adj_close"))),
    'use { columns: { close: "adj_close" } }, the one that is adjusted',
  ],
  "adjusted closes as a price": [
    () => forwardReturns!(closes(), { price: "adj_close" }),
    '"close" or "open"',
  ],
  "a way of pandas to fill": [
    () => forwardReturns!(closes(), { missing: "ffill" }),
    '"null" or "pad"',
  ],
  "a delisting in percent": [
    () => forwardReturns!(closes(), { ended: { return: -30 } }),
    'expected ended to be "last", "null" or { return: -0.3 }',
  ],
  "a lag of pandas": [
    () => forwardReturns!(closes(), { entryLag: "1D" }),
    "expected entryLag to be a whole number of at least 0",
  ],
  "text for closes": [
    () => forwardReturns!(closes({ close: ["1", "2", "3", "4", "5"] })),
    "expected the column close to hold numbers",
  ],
  "prices that repeat": [
    () => forwardReturns!(pl.concat([closes(), closes()])),
    "got several for 2026-11-23 A",
  ],
  "prices that were not awaited": [() => forwardReturns!(readPrices!(closes())), "await it first"],
  "tickers of another vendor": [
    () => analyse(closes({ ticker: DAYS.map(() => "A.O") })),
    "the prices A.O",
  ],
  "prices that end before the scores begin": [
    () => analyse(on("2025-11-24", "2025-11-25", "2025-11-26")),
    "got prices that end on 2025-11-26",
  ],
  "scores and prices exchanged": [
    () => analyzeFactor!(closes(), scores(), quiet),
    "expected scores first and prices second, got a DataFrame with the columns",
  ],
});

function utf16(text: string): Uint8Array {
  return new Uint8Array([0xff, 0xfe, ...[...text].flatMap((sign) => [sign.charCodeAt(0), 0])]);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

function everyDay(count: number): string[] {
  const start = Date.UTC(2026, 2, 1);
  return Array.from(
    { length: count },
    (_, i) => new Date(start + i * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Weekdays of March 2026 without one of them. */
function datesWithout(weekday: number): string[] {
  return everyDay(31).filter((date) => ![0, 6, weekday].includes(new Date(date).getUTCDay()));
}

const SCORES = closes().select("date", "ticker").withColumns(pl.lit(0.5).alias("score"));

mistakes("prices without rows, and calls with prices or scores in the wrong place", {
  "a CSV of a header alone": [
    () => csv(HEAD),
    "expected at least one row of prices, got none; check",
  ],
  "a frame that a filter emptied, to read": [
    () => readPrices!(closes().head(0)),
    "Cannot read the prices: expected at least one row of prices, got none; check the filter",
  ],
  "a frame that a filter emptied, for returns": [
    () => forwardReturns!(closes().head(0)),
    "Cannot compute forward returns: expected at least one row of prices, got none; check the filter",
  ],
  "a frame that a filter emptied, for an analysis": [
    () => analyzeFactor!(SCORES, closes().head(0)),
    "Cannot analyse a factor with these prices: expected at least one row of prices, got none",
  ],
  "scores without prices": [
    () => analyzeFactor!(SCORES),
    "Cannot analyse a factor: expected prices beside the scores, got nothing; write analyzeFactor(scores, prices)",
  ],
  "options in the place of prices": [
    () => analyzeFactor!(SCORES, { periods: [1] }),
    "Cannot analyse a factor with these prices: expected a DataFrame, got an object with the fields periods",
  ],
  "scores that were not awaited": [
    () => analyzeFactor!(Promise.resolve(SCORES), closes()),
    "Cannot analyse a factor: expected a DataFrame, got a promise; await it first",
  ],
  "prices of an analysis that were not awaited": [
    () => analyzeFactor!(SCORES, Promise.resolve(closes())),
    "Cannot analyse a factor with these prices: expected a DataFrame, got a promise; await it first",
  ],
  "a list of sessions for a summary": [
    () =>
      informationSummary!(pl.DataFrame({ session: DAYS, ic: [0.1, 0, 0.2, 0, 0.1] }), {
        sessions: DAYS,
      }),
    "with sessions: expected a DataFrame, got an array of 5",
  ],
});
