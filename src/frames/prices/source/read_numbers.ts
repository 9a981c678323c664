import pl, { type Series } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { missingText, missingTokens, type ReadPricesOptions } from "../prices_options.ts";

const NUMBER: Readonly<Record<"." | ",", RegExp>> = {
  ".": /^[+-]?(\d+|\d{1,3}([,' \u00a0\u202f])\d{3}(\2\d{3})*)?(\.\d+)?([eE][+-]?\d+)?$/,
  ",": /^[+-]?(\d+|\d{1,3}([.' \u00a0\u202f])\d{3}(\2\d{3})*)?(,\d+)?([eE][+-]?\d+)?$/,
};
const GROUPS = { ".": /[,' \u00a0\u202f]/g, ",": /[.' \u00a0\u202f]/g };
const CURRENCY = /^([-+]?)([$€£¥]|[A-Z]{3} ?)|( ?[A-Z]{3}|[$€£¥])$/;

const RATIO = /^(\d+(?:\.\d+)?)\s*(?::|\/|-?for-?|for)\s*(\d+(?:\.\d+)?)$/i;

/**
 * Parses texts as numbers; null and the tokens of missing values become null.
 *
 * @throws {TypeError} If a text is not a number, with the option that reads it
 */
export function readNumbersOfTexts(
  column: Series,
  title: string,
  forms: ReadPricesOptions,
): Series {
  const tokens = new Set(missingTokens(forms));
  const { decimal, currency } = forms;
  const blanks = missingNumbers(forms);
  if (decimal === undefined && currency === undefined && tokens.size === 0) {
    const numbers = column.cast(pl.Float64, false);
    if (numbers.nullCount() === column.nullCount()) return numbers;
  }
  const texts = column.cast(pl.Utf8).toArray() as (string | null)[];
  const values = texts.map((text) => {
    const trimmed = text?.trim() ?? "";
    if (trimmed === "" || tokens.has(trimmed)) return null;
    const plain = currency === undefined ? trimmed : trimmed.replace(currency, "").trim();
    const number = specialOf(plain) ?? numberOf(plain, decimal);
    if (number === null) {
      const such = decimal === "," ? "1234,5" : "1234.5";
      const advice = adviceOf(trimmed, forms, column.name, texts);
      throw new TypeError(
        `Cannot read ${title}: expected numbers such as ${such} or nothing as the close, got ` +
          `${describe(trimmed)}; ${advice}`,
      );
    }
    return blanks.some((blank) => Object.is(blank, number)) ? null : number;
  });
  return pl.Series(column.name, values, pl.Float64);
}

/** Numbers that stand for no close: those of the tokens of missing values. */
export function missingNumbers(forms: ReadPricesOptions): readonly number[] {
  return missingTokens(forms).flatMap((token) =>
    specialOf(token) ?? numberOf(token.trim(), undefined) ?? []
  );
}

/** The value of a text such as nan or -inf; `null` for another one. */
function specialOf(text: string): number | null {
  if (/^[+-]?nan$/i.test(text)) return NaN;
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text) ?? [];
  return sign === undefined ? null : sign === "-" ? -Infinity : Infinity;
}

/** Parses factors, which may be texts such as 3:1 or 3-for-1; null where they are no numbers. */
export function readRatios(column: Series, forms: ReadPricesOptions): Series {
  if (column.nullCount() === column.len()) return column.cast(pl.Float64);
  const numbers = column.cast(pl.Float64, false);
  if (numbers.nullCount() === column.nullCount()) return numbers;
  const values = (column.cast(pl.Utf8).toArray() as (string | null)[]).map((text) => {
    const trimmed = text?.trim() ?? "";
    const [, to, from] = RATIO.exec(trimmed) ?? [];
    return to !== undefined ? Number(to) / Number(from) : numberOf(trimmed, forms.decimal);
  });
  return pl.Series(column.name, values, pl.Float64);
}

function numberOf(text: string, decimal: "." | "," | undefined): number | null {
  if (decimal === undefined) {
    const number = Number(text);
    const isNumber = !Number.isNaN(number) || /^[+-]?nan$/i.test(text);
    return text !== "" && isNumber && !/^0[xob]/i.test(text) ? number : null;
  }
  if (!NUMBER[decimal].test(text) || !/\d/.test(text)) return null;
  return Number(text.replaceAll(GROUPS[decimal], "").replace(",", "."));
}

function adviceOf(
  text: string,
  forms: ReadPricesOptions,
  name: string,
  texts: readonly (string | null)[],
): string {
  const { decimal, currency } = forms;
  const [, , before, after] = CURRENCY.exec(text) ?? [];
  if (/%$/.test(text) && currency !== "%") {
    const call = 'percent: true, currency: "%"';
    if (forms.returns !== undefined) return `use ${call}`;
    const isLong = forms.layout === undefined || forms.layout === "long";
    return `use returns: ${isLong ? describe(name) : "true"}, ${call} if these are returns`;
  }
  if (/\d/.test(text) && currency === undefined && (before ?? after) !== undefined) {
    return `use currency: ${describe((before ?? after)!.trim())}, if all closes are in it`;
  }
  if (!/\d/.test(text) || /^#/.test(text)) {
    return `use missing: ${missingText(forms, text)} if it stands for no close`;
  }
  const plain = currency === undefined ? text : text.replace(currency, "").trim();
  const isAmbiguous = /^[+-]?\d{1,3},\d{3}$/.test(plain) &&
    !texts.some((other) => /,\d{3}\.|\.\d+$/.test(other ?? ""));
  if (decimal === undefined && isAmbiguous) {
    return 'use decimal: "." if the comma groups thousands, or decimal: "," if it is the decimal sign';
  }
  if (NUMBER["."].test(plain) && decimal !== ".") {
    return 'use decimal: ".", so that commas group thousands';
  }
  if (NUMBER[","].test(plain) && decimal !== ",") return 'use decimal: ","';
  return "correct the field in the source";
}
