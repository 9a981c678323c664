import {
  oneOf,
  type OptionRules,
  ruleOf,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { type Frequency, FREQUENCY_NAMES } from "./dates/frequency.ts";

/** Options of `readPrices()`: the layout of the source. */
export interface ReadPricesOptions {
  /**
   * The column of the date.
   *
   * @default "date"
   */
  readonly date?: string;
  /**
   * The column of the ticker.
   *
   * @default "ticker"
   */
  readonly ticker?: string;
  /**
   * The column of the close, which has to be adjusted for splits and dividends for computing returns.
   *
   * @default "close"
   */
  readonly close?: string;
  /**
   * Separator between the fields of a CSV, one character.
   *
   * @default ","
   */
  readonly separator?: string;
  /**
   * Decimal sign. With `"."` commas group thousands (3,838.05), with `","` points do (3.838,05).
   *
   * @default "." without groups of thousands
   */
  readonly decimal?: "." | ",";
  /**
   * Format of dates in text form, from `%Y`, `%y`, `%m`, `%d`, `%b` and `%B`: `"%m/%d/%Y"`, `"%d.%m.%Y"`.
   *
   * @default 2026-11-19 and 20261119
   */
  readonly dateFormat?: string;
  /**
   * One row per date and ticker (`long`), or a column of dates and one column per ticker (`wide`).
   *
   * @default "long"
   */
  readonly layout?: "long" | "wide";
  /**
   * Spacing of the closes; the report lists gaps in it.
   *
   * @default "daily"
   */
  readonly frequency?: Frequency;
  /**
   * Calendar for the report: sessions of the US market, or only the dates of the prices.
   *
   * @default "us"
   */
  readonly calendar?: "us" | "own";
  /**
   * Largest inflated size of a `.csv.gz` in bytes.
   *
   * @default 4,000,000,000
   */
  readonly maxInflatedBytes?: number;
}

/** Rules of the options of `readPrices()`. */
export const PRICES_RULES: OptionRules<ReadPricesOptions> = {
  date: TEXT,
  ticker: TEXT,
  close: TEXT,
  separator: ruleOf(
    'one character, such as ";"',
    (value) => typeof value === "string" && value.length === 1 && value.charCodeAt(0) < 128,
  ),
  decimal: oneOf(".", ","),
  dateFormat: TEXT,
  layout: oneOf("long", "wide"),
  frequency: oneOf(...FREQUENCY_NAMES),
  calendar: oneOf("us", "own"),
  maxInflatedBytes: whole(1),
};
