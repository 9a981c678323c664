import { WEEKDAY, weekdayOf } from "../../../base/calendar/civil_date.ts";
import type { Listings, PriceGrid } from "./price_grid.ts";
import {
  checkValues,
  FEWEST_MOVES,
  VALUE_WORDS,
  type ValueKind,
} from "../../../frames/prices/values/check_values.ts";
import { medianOf } from "../../../base/statistics/moments.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { beginPeriods, FREQUENCIES } from "../../../frames/prices/dates/frequency.ts";
import type { PriceMarket } from "./price_market.ts";
import { capital } from "../../../base/wording/words.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { TableOf } from "../../table/columns.ts";

/** Columns of the table, in order. */
export const NOTE_COLUMNS = "session ticker what value";

// No market is near it; returns over two sessions have 0.5.
const SMOOTHED = 0.3;
// A larger share of weekend sessions is normal for the market and gets no note.
const FEW = 0.05;

/** Kinds of notes on prices. */
type PriceNoteKind =
  | ("jump" | "resumed" | "relisted" | "missing_session" | "stray_date" | "weekend" | "running")
  | ValueKind;

/** The session of a note, the first one for a note on all of them; its ticker, its kind, its value. */
type Note = readonly [session: number, ticker: string | null, PriceNoteKind, value: number | null];

/** Closes by session, and what their dates say of the sessions. */
type NotedGrid = Pick<
  PriceGrid,
  "days" | "tickers" | "prices" | "missingDays" | "strayDays" | "runningDay"
>;

/**
 * Possible errors and gaps in the prices: one row per finding, by session and ticker. Nothing is changed.
 *
 * @param maxGap Sessions after which a stock without a close has ended; `null` if none ends so
 */
export function toPriceNotes(
  grid: NotedGrid,
  maxGap: number | null = null,
  { relisted }: Pick<Listings, "relisted"> = { relisted: [] },
): TableOf<typeof NOTE_COLUMNS> {
  const onDays = (what: PriceNoteKind, days: readonly number[]): readonly Note[] =>
    days.map((session) => [session, null, what, null]);
  const notes = [
    ...onDays("missing_session", grid.missingDays),
    ...onDays("stray_date", grid.strayDays),
    ...onDays("weekend", fewWeekends(grid)),
    ...(grid.runningDay === null ? [] : onDays("running", [grid.runningDay])),
    ...relisted.map(({ ticker, last, first }): Note => {
      return [grid.days[first]!, grid.tickers[ticker]!, "relisted", first - last - 1];
    }),
    ...valueNotes(grid, maxGap ?? Infinity),
  ].toSorted(([a], [b]) => a - b);
  return tableOfRows(notes, NOTE_COLUMNS);
}

// Prices that end inside a gap give returns to the last close, which change when later prices arrive.
function valueNotes({ days, tickers, prices }: NotedGrid, maxGap: number): readonly Note[] {
  const names = tickers.length;
  const found = checkValues({
    sessions: days.length,
    tickers: names,
    // From one close to the next.
    longestGap: maxGap + 1,
    visit: (take) => {
      for (const [cell, price] of prices.entries()) {
        if (price === price) take(cell % names, Math.floor(cell / names), price, NaN);
      }
    },
  });
  return found.filter(({ what, value }) => what !== "gap" || value <= maxGap)
    .map(({ what, session, ticker, value }) => [
      ...[days[session ?? 0]!, ticker === null ? null : tickers[ticker]!] as const,
      ...[what === "gap" ? "resumed" : what, Number.isNaN(value) ? null : value] as const,
    ]);
}

/** Share of the closes that equal the one of the session before; 0 if there are too few to say. */
export function stillShare({ tickers, prices }: PriceGrid): number {
  let [moves, still] = [0, 0];
  for (let cell = tickers.length; cell < prices.length; cell++) {
    const [before, price] = [prices[cell - tickers.length]!, prices[cell]!];
    if (before !== before || price !== price) continue;
    moves++;
    if (before === price) still++;
  }
  return moves < FEWEST_MOVES ? 0 : still / moves;
}

/**
 * Refuses prices whose one-session returns depend on each other in most stocks, as returns over several sessions and means of closes do.
 *
 * @throws {RangeError} If their first autocorrelation is above 0.3
 */
export function refuseSmoothed(action: string, { tickers, prices }: PriceGrid): void {
  const width = tickers.length;
  const found = tickers.flatMap((_, name) => firstAutocorrelation(prices, width, name));
  if (found.length === 0 || found.filter((one) => one > SMOOTHED).length <= found.length / 2) {
    return;
  }
  const typical = medianOf(found);
  const sessions = Math.max(2, Math.round(1 / (1 - Math.min(0.99, typical))));
  throw new RangeError(
    `Cannot ${action}: expected returns of one session, which hardly depend on the one before (closes of a market have a first ` +
      `autocorrelation of −0.05 to 0.05), got ${decimalText(typical, 2)} in the median of ${
        countText(found.length, "ticker")
      }, as ` +
      `returns over ${sessions} sessions on each date have, or closes that are a mean of about ${sessions}; give returns of one ` +
      "session each, or closes as traded, or smoothed: true where values are appraised and move so",
  );
}

/** The first autocorrelation of the one-session returns of a stock; none with few of them. */
function firstAutocorrelation(
  prices: Float64Array,
  width: number,
  name: number,
): readonly number[] {
  let [n, sum, square, product, before] = [0, 0, 0, 0, NaN];
  for (let cell = width + name; cell < prices.length; cell += width) {
    const gain = prices[cell]! / prices[cell - width]! - 1;
    if (gain === gain) {
      sum += gain;
      square += gain * gain;
      if (before === before) product += gain * before;
      n++;
    }
    before = gain;
  }
  const mean = sum / n;
  const variance = square / n - mean * mean;
  return n < FEWEST_MOVES || !(variance > 0) ? [] : [(product / n - mean * mean) / variance];
}

function fewWeekends({ days }: NotedGrid): readonly number[] {
  const found = [...days].filter((day) =>
    weekdayOf(day) === WEEKDAY.saturday || weekdayOf(day) === WEEKDAY.sunday
  );
  return found.length > FEW * days.length && found.length > 1 ? [] : found;
}

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
  notes: TableOf<typeof NOTE_COLUMNS>,
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
  notes: TableOf<typeof NOTE_COLUMNS>,
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
