import { isCalendarDate } from "../../../base/contract/instant.ts";
import { describe } from "../../../base/contract/violation.ts";
import { zoneAdvice } from "./zoned_dates.ts";

const LANGUAGES = [
  ...["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "sk", "hu"],
  ...["ro", "hr", "sl", "tr", "et", "lv", "lt", "ca", "id", "ru", "uk", "bg", "el"],
];
const PARTS: Readonly<Record<string, string>> = {
  Y: "(?<year>\\d{4})",
  y: "(?<short>\\d{2})",
  m: "(?<month>\\d{1,2})",
  d: "(?<day>\\d{1,2})",
  b: "(?<name>[\\p{L}\\p{M}]{3,12}\\.?)",
  B: "(?<name>[\\p{L}\\p{M}]{3,14}\\.?)",
};
// As in POSIX, 69 to 99 belong to the last century.
const PIVOT = 69;

const SLASHED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
const LAST_MONTH = 12;
// 19-Sep-25, 14SEP2026, 14. Sept. 2026
const NAMED = /^\d{1,2}([ ./-]{0,2})(\p{L}{3,12}\.?)([ /-]{0,2})(\d{4}|\d{2})$/u;
const MONTH_ALONE = /^(19|20)\d{2}-?(0[1-9]|1[0-2])$/;
// Forms that are read without a format.
const PLAIN = /^(\d{8}|\d{4}-\d{2}-\d{2}([T ]00:00(:00(\.0+)?)?(Z|[+-]\d{2}:?\d{2})?)?)$/;
const NO_SUCH_DAY = "the calendar has no such day in this form; correct the source";

/**
 * Makes a parser of dates in a format such as `%m/%d/%Y`, which returns 2026-11-19, or `null` for any other text. Without a day,
 * as in `%Y%m`, the date is the last one of the month.
 *
 * @throws {RangeError} If the format lacks a year or month, or has another part
 */
export function dateReader(format: string): (text: string) => string | null {
  const parts = [...format.matchAll(/%(.)/g)].map(([, part]) => part!);
  const has = (...some: readonly string[]) =>
    parts.filter((part) => some.includes(part)).length === 1;
  const isWhole = has("Y", "y") && has("m", "b", "B") && (has("d") || !parts.includes("d"));
  if (!isWhole || parts.some((part) => !(part in PARTS))) {
    throw new RangeError(
      "Cannot call readPrices(): expected dateFormat to have a year (%Y or %y), a month (%m, %b or %B) " +
        `and, unless it is a month's, a day (%d), such as "%m/%d/%Y", got ${describe(format)}`,
    );
  }
  const literal = format.split(/%./).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pattern = new RegExp(
    `^${literal[0]}${parts.map((part, i) => PARTS[part] + literal[i + 1]!).join("")}$`,
    "u",
  );
  return (text) => {
    const found = pattern.exec(text.trim())?.groups;
    if (found === undefined) return null;
    const { short, name } = found;
    const year = found["year"] ?? `${Number(short) < PIVOT ? 20 : 19}${short}`;
    const number = found["month"] ?? monthNames().get(plainName(name!));
    if (number === undefined) return null;
    const month = String(number).padStart(2, "0");
    const day = found["day"] ??
      String(new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate());
    const date = `${year}-${month}-${day.padStart(2, "0")}`;
    return isCalendarDate(date) ? date : null;
  };
}

function plainName(name: string): string {
  return name.normalize("NFD").replaceAll(/[\p{M}.]/gu, "").toLowerCase();
}

let names: ReadonlyMap<string, number> | null = null;

/** Months by their names and abbreviations in many languages, but those that name another month in another one. */
function monthNames(): ReadonlyMap<string, number> {
  if (names !== null) return names;
  const found = new Map<string, Set<number>>();
  const english = new Set<string>();
  for (const [language, month, day] of monthForms()) {
    const format = new Intl.DateTimeFormat(language, { month, day, timeZone: "UTC" });
    for (let number = 1; number <= LAST_MONTH; number++) {
      const parts = format.formatToParts(Date.UTC(2026, number - 1, 1));
      const own = plainName(parts.find(({ type }) => type === "month")!.value);
      for (const name of [own, own.slice(0, 3)]) {
        if (language === "en") english.add(name);
        else if (english.has(name) || !/^\p{L}{3,}$/u.test(name)) continue;
        found.set(name, (found.get(name) ?? new Set()).add(number));
      }
    }
  }
  return names = new Map(
    [...found].filter(([, months]) => months.size === 1).map(([name, [month]]) => [name, month!]),
  );
}

function monthForms() {
  return LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      ([undefined, "numeric"] as const).map((day) => [language, month, day] as const)
    )
  );
}

/** Advice for texts that are not dates in the given format: their probable format, unless it is the given one. */
export function dateAdvice(text: string, all: readonly string[], format: string | null): string {
  if (PLAIN.test(text)) {
    if (!isCalendarDate(text.replace(/^(\d{4})-?(\d{2})-?(\d{2}).*$/, "$1-$2-$3"))) {
      return NO_SUCH_DAY;
    }
    return all.every((date) => PLAIN.test(date))
      ? "omit dateFormat, which such dates do not need"
      : "write all dates in one form";
  }
  const [probable, why = ""] = probableFormat(text, all) ?? [];
  if (probable === undefined) return otherAdvice(text, all);
  return probable === format ? NO_SUCH_DAY : `use dateFormat: "${probable}"${why}`;
}

/** The format that texts probably have, and why. */
function probableFormat(text: string, all: readonly string[]): readonly [string, string?] | null {
  const slashed = SLASHED.exec(text);
  if (slashed !== null) {
    return slashedFormat(all, slashed[2]!, slashed[4]!.length === 4 ? "%Y" : "%y");
  }
  if (/^\d{4}[/.]\d{1,2}[/.]\d{1,2}$/.test(text)) {
    const mark = text[4]!;
    return [`%Y${mark}%m${mark}%d`];
  }
  const month = monthFormat(text);
  if (month !== null) return [month, " for months, whose date is their last day"];
  const named = NAMED.exec(text);
  if (named !== null && all.every((other) => NAMED.test(other))) {
    const [, before, , after, year] = named;
    return [`%d${before}%b${after}${year!.length === 4 ? "%Y" : "%y"}`];
  }
  return /^\p{L}{3,12}\.? \d{1,2}, \d{4}$/u.test(text) ? ["%b %d, %Y"] : null;
}

function otherAdvice(text: string, all: readonly string[]): string {
  if (/^\d{5}(\.0)?$/.test(text)) {
    return "this may be Excel's serial number of a day; format the column as a date, and save it again";
  }
  const zone = /\d{1,2}:\d{2}|^\d{9,19}$|T\d{2}/.test(text) ? zoneAdvice(all) : null;
  if (zone !== null) return zone;
  if (/\d{1,2}:\d{2}/.test(text)) {
    return "this has a time of day, and its session depends on the time zone; write only the date";
  }
  if (/^(ticker|date|price|symbol|close)$/i.test(text)) {
    return "this may be a second header line, as pandas writes for columns with two levels; keep one line";
  }
  if (!/\d/.test(text)) return "leave out rows without a date, such as totals and notes";
  return "set dateFormat to their form, from %Y, %y, %m, %d, %b and %B";
}

function monthFormat(text: string): string | null {
  const named = /^\p{L}{3,12}\.?([ -])(\d{4}|\d{2})$/u.exec(text);
  if (named !== null) return `%b${named[1]}${named[2]!.length === 4 ? "%Y" : "%y"}`;
  if (!MONTH_ALONE.test(text)) return null;
  return text.length === 6 ? "%Y%m" : "%Y-%m";
}

// A number above 12 cannot be a month.
function slashedFormat(all: readonly string[], mark: string, year: string) {
  const found = all.map((text) => SLASHED.exec(text)).filter((match) => match !== null);
  const [us, european] = [`%m${mark}%d${mark}${year}`, `%d${mark}%m${mark}${year}`];
  const isEuropean = found.some(([, first]) => Number(first) > LAST_MONTH);
  const isUs = found.some(([, , , second]) => Number(second) > LAST_MONTH);
  if (isEuropean === isUs) {
    return [us, ` if the month comes first, or dateFormat: "${european}" if the day does`] as const;
  }
  return [isEuropean ? european : us, ", because no month is above 12"] as const;
}
