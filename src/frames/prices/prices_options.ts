import type { DataFrame } from "nodejs-polars";
import {
  either,
  FLAG,
  isListOf,
  oneOf,
  type OptionRules,
  ruleOf,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { FRAME } from "../frame/assert_frame.ts";
import { isPlainObject } from "../../base/contract/json_text.ts";
import { type Frequency, FREQUENCY_NAMES } from "./dates/frequency.ts";

/** Columns of a file that say how its closes are adjusted; one name, or a list of them. */
export interface PriceFactors {
  /** Multiplies the closes, such as `adj_factor` of tushare. */
  readonly multiply?: string | readonly string[];
  /** Divides the closes, such as `ajexdi` or `cfacpr`. */
  readonly divide?: string | readonly string[];
  /** Shares that one share becomes on its day; 1 or 0 without a split. */
  readonly split?: string | readonly string[];
  /** Number by which earlier closes are multiplied from its day on: 0.5 for two shares. */
  readonly unsplit?: string | readonly string[];
  /** Shares that one share becomes on the next day. */
  readonly splitNext?: string | readonly string[];
  /** Number by which earlier closes are multiplied from the next day on. */
  readonly unsplitNext?: string | readonly string[];
  /** Dividend per share on its ex-date. */
  readonly dividend?: string;
  /** Columns that the closes have in them already. */
  readonly none?: string | readonly string[];
}

/** Options of `readPrices()`: the layout of the source. */
export interface ReadPricesOptions {
  /** The column of the date. @default the column whose name says it, such as `Date` or `datadate` */
  readonly date?: string;
  /**
   * The column of the ticker; for files of one ticker each, `{ file: "*.us" }` with an asterisk for its part of the file's name
   * without its ending, or `{ text: "AAPL" }`.
   *
   * @default the column whose name says it, such as `Symbol` or `tic`, else the one that makes a key with the date
   */
  readonly ticker?: string | { readonly file: string } | { readonly text: string };
  /**
   * Tickers of the source that have another name: `ticker`, `other` (as the source has it) and, for renames and tickers that passed to
   * another company, `from` and `to` (dates, both included; null is open).
   *
   * @default none
   */
  readonly tickers?: DataFrame;
  /**
   * The column of the close, or the field of the closes in a wide table; adjusted for splits and dividends, as returns need it.
   *
   * @default the column whose name says it; of several the one that the numbers show as adjusted
   */
  readonly close?: string;
  /** The column of closes as traded beside adjusted ones, read into `raw`. @default the one that the numbers show */
  readonly raw?: string;
  /**
   * `true` for closes that are adjusted for splits and dividends, `"splits"` for splits alone, `false` for closes as traded.
   *
   * @default what the numbers of the file show
   */
  readonly adjusted?: boolean | "splits";
  /** Columns of factors, by what they do to the closes. @default what the numbers of the file show */
  readonly factor?: PriceFactors;
  /** The column of returns, from which closes are chained; `true` for all columns of a wide table. @default none */
  readonly returns?: string | true;
  /** The column of returns at a delisting, which multiply those of their date. @default none */
  readonly delisting?: string;
  /** Returns in percent. @default false */
  readonly percent?: boolean;
  /** Only rows with these texts or numbers in these columns, such as `{ field: "close" }`. @default all rows */
  readonly only?: Readonly<Record<string, string | number>>;
  /** Texts that stand for no close, such as `"null"` or `["NA", "."]`. @default only an empty field */
  readonly missing?: string | readonly string[];
  /** Lines above the names of the columns. @default 0 */
  readonly skip?: number;
  /** Lines below the table. @default 0 */
  readonly footer?: number;
  /** Lines with the names of the columns. @default 1 */
  readonly header?: number;
  /** Separator between the fields of a CSV, one character. @default "," or, for .tsv, a tab */
  readonly separator?: string;
  /**
   * Decimal sign. With `"."` commas group thousands (3,838.05), with `","` points do (3.838,05).
   *
   * @default "." without groups of thousands
   */
  readonly decimal?: "." | ",";
  /** Currency sign that stands beside numbers, such as `"$"`. @default none */
  readonly currency?: string;
  /**
   * Meaning of negative closes: `"quote"` for the mean of bid and ask without a trade, whose sign CRSP turns.
   *
   * @default they are refused
   */
  readonly negative?: "quote";
  /**
   * Format of dates in text form, from `%Y`, `%y`, `%m`, `%d`, `%b` and `%B`: `"%m/%d/%Y"`, `"%d.%m.%Y"`; `"%Y%m"` for months.
   *
   * @default 2026-11-19 and 20261119
   */
  readonly dateFormat?: string;
  /**
   * Time zone of the market, such as `"America/New_York"`, for times of day and Unix times: each stands for its date there.
   *
   * @default none: only times at midnight are dates
   */
  readonly timeZone?: string;
  /** Day of a period that dates label: first days are moved to the last. @default "end" */
  readonly labels?: "start" | "end";
  /** Days by which all dates are moved, such as -1 for a vendor that dates closes a day late. @default 0 */
  readonly shiftDays?: number;
  /**
   * One row per date and ticker (`long`), a column of dates and one column, or several fields, per ticker (`wide`), a column of
   * dates beside those of each ticker (`pairs`), or a row per ticker and a column per date (`across`).
   *
   * @default "long"
   */
  readonly layout?: "long" | "wide" | "pairs" | "across";
  /** Spacing of the closes; the report lists gaps in it. @default "daily" */
  readonly frequency?: Frequency;
  /** Calendar for the report: sessions of the US market, or only the dates of the prices. @default "us" */
  readonly calendar?: "us" | "own";
  /** Accepts closes of which three in four do not move. @default false */
  readonly still?: boolean;
  /** Largest inflated size of a compressed file in bytes. @default 4,000,000,000 */
  readonly maxInflatedBytes?: number;
}

/** Names of the roles of factors; of equal readings the first is meant, whose closes end as they are. */
export const FACTOR_ROLES = [
  ...(["none", "split", "unsplit", "divide", "multiply"] as const),
  ...(["splitNext", "unsplitNext", "dividend"] as const),
] as const satisfies readonly (keyof PriceFactors)[];

/** Texts of the option `missing`. */
export function missingTokens(
  { missing = [] }: Pick<ReadPricesOptions, "missing">,
): readonly string[] {
  return typeof missing === "string" ? [missing] : missing;
}

/** Value of the option `missing` with one more token, as code. */
export function missingText(forms: Pick<ReadPricesOptions, "missing">, token: string): string {
  const tokens = [...new Set([...missingTokens(forms), token])];
  return JSON.stringify(tokens.length === 1 ? tokens[0] : tokens);
}

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isTexts = (value: unknown, ...names: readonly string[]) =>
  isPlainObject(value) && Object.keys(value).length > 0 &&
  Object.values(value).every((text) => isText(text) || isListOf(isText)(text)) &&
  (names.length === 0 || Object.keys(value).every((name) => names.includes(name)));
const isTimeZone = (value: unknown) => {
  try {
    return isText(value) && new Intl.DateTimeFormat("en", { timeZone: value as string }) !== null;
  } catch {
    return false;
  }
};
const isOnly = (value: unknown) =>
  isPlainObject(value) && Object.keys(value).length > 0 &&
  Object.values(value).every((one) => isText(one) || Number.isFinite(one));
const isTicker = (value: unknown) =>
  isText(value) ||
  (isTexts(value, "file") && String((value as { file: string }).file).split("*").length === 2) ||
  (isTexts(value, "text") && !(value as { text: string }).text.includes("…"));
/** Rules of the options of `readPrices()`. */
export const PRICES_RULES: OptionRules<ReadPricesOptions> = {
  date: TEXT,
  ticker: ruleOf('the name of a column, { file: "*" } or { text: "AAPL" } with a ticker', isTicker),
  tickers: FRAME,
  close: TEXT,
  raw: TEXT,
  adjusted: either(FLAG, oneOf("splits")),
  factor: ruleOf(
    'names of columns, such as { divide: "ajexdi" } or { split: "split", dividend: "dividend" }',
    (value) => isTexts(value, ...FACTOR_ROLES),
  ),
  returns: ruleOf("the name of a column, or true", (value) => value === true || isText(value)),
  delisting: TEXT,
  percent: FLAG,
  only: ruleOf('texts or numbers of columns, such as { field: "close" }', isOnly),
  missing: ruleOf("a text or a list of texts", (value) => isText(value) || isListOf(isText)(value)),
  skip: whole(0),
  footer: whole(0),
  header: whole(1),
  separator: ruleOf(
    'one character, such as ";"',
    (value) => typeof value === "string" && value.length === 1 && value.charCodeAt(0) < 128,
  ),
  decimal: oneOf(".", ","),
  currency: ruleOf('a sign, such as "$"', isText),
  negative: oneOf("quote"),
  dateFormat: TEXT,
  timeZone: ruleOf('the name of a time zone, such as "America/New_York"', isTimeZone),
  labels: oneOf("start", "end"),
  shiftDays: whole(-7, 7),
  layout: oneOf("long", "wide", "pairs", "across"),
  frequency: oneOf(...FREQUENCY_NAMES),
  calendar: oneOf("us", "own"),
  still: FLAG,
  maxInflatedBytes: whole(1),
};
