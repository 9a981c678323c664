import { isCalendarDate } from "../../../base/contract/instant.ts";
import { describe } from "../../../base/contract/violation.ts";

const MONTHS = [
  ...["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
];
const PARTS: Readonly<Record<string, string>> = {
  Y: "(?<year>\\d{4})",
  y: "(?<short>\\d{2})",
  m: "(?<month>\\d{1,2})",
  d: "(?<day>\\d{1,2})",
  b: "(?<name>[A-Za-z]{3})",
  B: "(?<name>[A-Za-z]{3,9})",
};
// As in POSIX, 69 to 99 belong to the last century.
const PIVOT = 69;

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
  const literal = format.split(/%./).map((text) =>
    text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&")
  );
  const pattern = new RegExp(
    `^${literal[0]}${parts.map((part, i) => PARTS[part] + literal[i + 1]!).join("")}$`,
  );
  return (text) => {
    const found = pattern.exec(text.trim())?.groups;
    if (found === undefined) return null;
    const [year, month] = [yearOf(found), monthOf(found)];
    const day = found["day"] ??
      String(new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate());
    const date = `${year}-${month}-${day.padStart(2, "0")}`;
    return isCalendarDate(date) ? date : null;
  };
}

function yearOf({ year, short }: Record<string, string>): string {
  return year ?? `${Number(short) < PIVOT ? 20 : 19}${short}`;
}

function monthOf({ month, name }: Record<string, string>): string {
  if (month !== undefined) return month.padStart(2, "0");
  return String(MONTHS.indexOf(name!.slice(0, 3).toLowerCase()) + 1).padStart(2, "0");
}
