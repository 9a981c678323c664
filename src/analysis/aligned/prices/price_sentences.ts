import { beginPeriods, FREQUENCIES } from "../../../frames/prices/dates/frequency.ts";
import { WEEKDAY, weekdayOf } from "../../../base/calendar/civil_date.ts";
import { countText } from "../../../base/wording/number_text.ts";
import type { PriceMarket } from "./price_market.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import type { NOTE_COLUMNS, PriceNoteKind } from "./price_notes.ts";
import { capital } from "../../../base/wording/words.ts";
import { VALUE_WORDS } from "../../../frames/prices/values/check_values.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

const EXAMPLES = 3;

/** Sentences of notes on prices, most serious first; {@link gapSentence} describes closes that resume. */
const MEANING: readonly (readonly [what: PriceNoteKind, one: string, several: string])[] = [
  [
    "jump",
    "close moved by the size of a split or more",
    "closes moved by the size of a split or more",
  ],
  [
    "stray_date",
    "date of the prices is not a session, and its rows are left out",
    "dates of the prices are not sessions, and their rows are left out",
  ],
  [
    "relisted",
    "ticker comes back after a gap longer than maxGap: the stock before it ended at its last close, and the one after it is another; where it is the same, set " +
    "maxGap, and where it was renamed in between, map it with readPrices({ tickers })",
    "tickers come back after a gap longer than maxGap: the stocks before it ended at their last close, and those after it are others; where one is the same, set " +
    "maxGap, and where it was renamed in between, map it with readPrices({ tickers })",
  ],
  ["missing_session", "session has no price of any ticker", "sessions have no price of any ticker"],
  ["weekend", "session is on a weekend", "sessions are on weekends"],
  ["running", "last period of the prices is not over, and is left out", ""],
];
const KINDS = [
  ...MEANING.map(([kind, one, several]) =>
    [kind, (n: number) => `${groupThousands(n)} ${n === 1 ? one : several}`] as const
  ),
  ...Object.entries(VALUE_WORDS),
] as const;
const SHARES: readonly string[] = ["still_share", "interpolated", "noise", "levels"];
const RATIOS: readonly string[] = ["jump", "unit", "hole"];

/** Notes on prices in sentences, each with its number and the first examples; none if there is nothing to say. */
export function noteSentences(
  notes: TableFrame<typeof NOTE_COLUMNS>,
): readonly { text: string; count: number }[] {
  const records = notes.toRecords();
  return KINDS.flatMap(([kind, words]) => {
    const rows = records.filter(({ what }) => what === kind);
    const [first] = rows;
    if (first === undefined) return [];
    const text = words(rows.length, first.value ?? NaN);
    const isOnAll = first.ticker === null && SHARES.includes(kind);
    if (isOnAll) return [{ text: `${capital(text)}.`, count: rows.length }];
    const examples = rows.slice(0, EXAMPLES).map(({ session, ticker, value }) => {
      const size = RATIOS.includes(kind) ? `×${Number(value!.toPrecision(3))}` : null;
      return [dayText(session), ticker, size].filter((part) => part !== null).join(" ");
    });
    const more = rows.length > EXAMPLES ? ", …" : "";
    return [{ text: `${text} (${examples.join(", ")}${more}).`, count: rows.length }];
  });
}

function dayText(day: Date | null): string {
  return day!.toISOString().slice(0, 10);
}

/** Closes that follow a gap, and the longest one; `null` without any. */
export function gapSentence(
  notes: TableFrame<typeof NOTE_COLUMNS>,
): { readonly text: string; readonly count: number } | null {
  const gaps = notes.toRecords().filter(({ what }) => what === "resumed");
  const [first] = gaps;
  if (first === undefined) return null;
  const longest = gaps.reduce((most, gap) => gap.value! > most.value! ? gap : most, first);
  const text = `${countText(gaps.length, "close")} ${gaps.length === 1 ? "follows" : "follow"} a ` +
    `gap, the longest of ${countText(longest.value!, "session")} (${dayText(longest.session)} ` +
    `${longest.ticker}).`;
  return { text, count: gaps.length };
}

/** Adjustment of closes, as far as it is known, for the end of a sentence on them. */
export function adjustmentText({ adjusted }: Pick<PriceMarket, "adjusted">): string {
  if (adjusted === "unknown") return "assumed to be adjusted for splits and dividends";
  if (adjusted === "all") return "marked as adjusted for splits and dividends";
  return adjusted === "splits"
    ? "marked as adjusted for splits, so that returns lack dividends"
    : "marked as raw, so that returns lack splits and dividends";
}

/** Sentences on prices other than daily closes of US sessions; none for those. */
export function marketSentences(market: PriceMarket, days: Int32Array): readonly string[] {
  const { frequency, periodsPerYear, calendar } = market;
  const { unit, perYear } = FREQUENCIES[frequency];
  if (frequency !== "daily") {
    const start = days.length >= EXAMPLES && beginPeriods(days, frequency)
      ? [
        `All dates of the prices are at the start of a ${unit}: closes of its end would be known ` +
        `${unit === "week" ? "days" : "weeks"} too early.`,
      ]
      : [];
    return [
      `Prices are ${frequency} closes: horizons and rates are in ${unit}s, ${periodsPerYear} a year.`,
      ...start,
    ];
  }
  if (calendar === "us") {
    return periodsPerYear === perYear
      ? []
      : [`A year has ${countText(periodsPerYear, "session")}.`];
  }
  const source = calendar === "own"
    ? "The dates of the prices are the sessions"
    : "The sessions are those of the calendar";
  return [
    `${source}; a year has ${countText(periodsPerYear, "session")}.`,
    ...weekendSentence(days),
  ];
}

/** A sentence on weekends among sessions of a market that trades on five weekdays; none for one that trades on other days. */
function weekendSentence(days: Int32Array): readonly string[] {
  const counts = new Map<number, number>();
  for (const day of days) counts.set(weekdayOf(day), (counts.get(weekdayOf(day)) ?? 0) + 1);
  const of = (weekday: number) => counts.get(weekday) ?? 0;
  const [saturdays, sundays] = [of(WEEKDAY.saturday), of(WEEKDAY.sunday)];
  const fewest = Math.min(...[1, 2, 3, 4, 5].map((more) => of((WEEKDAY.sunday + more) % 7)));
  const isOfSevenDays = Math.min(saturdays, sundays) > fewest / 2;
  if (saturdays + sundays === 0 || fewest === 0 || isOfSevenDays) return [];
  return [
    `${
      countText(saturdays + sundays, "session")
    } of ${days.length} are on a Saturday or Sunday beside those of five ` +
    "weekdays: a close on which nothing was traded is an older one.",
  ];
}
