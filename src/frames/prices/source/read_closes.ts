import pl, { type Series } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";

/** Decimal sign; `null` for plain numbers without thousands separators. */
export type Decimal = "." | "," | null;

const NUMBER: Readonly<Record<"." | ",", RegExp>> = {
  ".": /^[+-]?(\d+|\d{1,3}([,' \u00a0\u202f])\d{3}(\2\d{3})*)?(\.\d+)?([eE][+-]?\d+)?$/,
  ",": /^[+-]?(\d+|\d{1,3}([.' \u00a0\u202f])\d{3}(\2\d{3})*)?(,\d+)?([eE][+-]?\d+)?$/,
};

/**
 * Parses texts as numbers; null stays null.
 *
 * @throws {TypeError} If a text is not a number, with a guess at its format
 */
export function readCloses(column: Series, title: string, decimal: Decimal): Series {
  if (decimal === null) return plainNumbers(column, title);
  const texts = column.cast(pl.Utf8).toArray() as (string | null)[];
  const pattern = NUMBER[decimal];
  const values = texts.map((text) => {
    const trimmed = text?.trim() ?? "";
    if (trimmed === "") return null;
    if (!pattern.test(trimmed) || !/\d/.test(trimmed)) throw noNumber(title, trimmed, decimal);
    const digits = trimmed.replaceAll(
      decimal === "." ? /[,' \u00a0\u202f]/g : /[.' \u00a0\u202f]/g,
      "",
    );
    return Number(digits.replace(",", "."));
  });
  return pl.Series("close", values, pl.Float64);
}

function plainNumbers(column: Series, title: string): Series {
  const numbers = column.cast(pl.Float64, false);
  if (numbers.nullCount() === column.nullCount()) return numbers;
  const [first] = pl.DataFrame([column.rename("text"), numbers])
    .filter(pl.col("close").isNull().and(pl.col("text").isNotNull()))
    .getColumn("text").cast(pl.Utf8).toArray();
  throw noNumber(title, String(first), null);
}

function noNumber(title: string, text: string, decimal: Decimal): TypeError {
  return new TypeError(
    `Cannot read ${title}: expected numbers such as ${
      decimal === "," ? "1234,5" : "1234.5"
    } or nothing ` +
      `as the close, got ${describe(text)}; ${adviceOf(text, decimal)}`,
  );
}

function adviceOf(text: string, decimal: Decimal): string {
  if (/[$€£¥]|[A-Z]{3}/.test(text) && /\d/.test(text)) {
    return "write the numbers without a currency sign, all in one currency";
  }
  if (/%$/.test(text)) return "write prices, not percentages";
  if (!/\d/.test(text)) return "leave the field empty where there is no close";
  const ambiguous = /^[+-]?\d{1,3},\d{3}$/.test(text);
  if (decimal === null && ambiguous) {
    return 'use decimal: "." if the comma groups thousands, or decimal: "," if it is the decimal sign';
  }
  if (NUMBER["."].test(text) && decimal !== ".") {
    return 'use decimal: ".", so that commas group thousands';
  }
  if (NUMBER[","].test(text) && decimal !== ",") return 'use decimal: ","';
  return 'set their format with decimal: "." or decimal: ","';
}
