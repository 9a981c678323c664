import type { DataFrame } from "nodejs-polars";
import { assertRows, FRAME } from "../../frames/frame/assert_frame.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";
import {
  checkOptions,
  oneOf,
  type OptionRules,
  whole,
} from "../../base/arguments/check_options.ts";
import { WHOLE_MINUTES } from "../aligned/sessions/align_options.ts";
import { hasSynthetic, markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import {
  averageCumulativeReturn,
  type AverageCumulativeReturnOptions,
  type WINDOW_COLUMNS,
} from "../alphalens/average_cumulative_return.ts";
import { assertReturns, type ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/to_quantized.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import { TESTED_COLUMNS, type TestedMean } from "../inference/tested_mean.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import {
  missingValue,
  readDayColumn,
  readInstantColumn,
  readTexts,
} from "../table/read_columns.ts";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { sessionInstants } from "../aligned/sessions/trade_instants.ts";
import { placesOfDays } from "../dense/days.ts";

/** Columns of the table, in order. */
const EVENT_COLUMNS = {
  offset: "count",
  ...TESTED_COLUMNS,
  n: "count",
  unpriced: "count",
  unplaced: "count",
  cumulative: "number",
} as const;

/** Options of {@link eventReturns}. */
export interface EventReturnsOptions {
  /** Number of sessions before the event. @default 5 */
  readonly before?: number;
  /** Number of sessions after the event. @default 10 */
  readonly after?: number;
  /** `universe`: minus the mean return of all priced stocks of the session. @default "universe" */
  readonly abnormal?: "universe" | "none";
  /** Milliseconds between the instant of an event and the moment from which it can be used. @default 0 */
  readonly delayMs?: number;
  /** `date`, `open_at`, `close_at` of each session, for events with instants. @default the US market */
  readonly calendar?: DataFrame;
}

type AllOptions =
  & EventReturnsOptions
  & Pick<AverageCumulativeReturnOptions, "returns">
  & { readonly compat?: "alphalens" };

const MAX_OFFSET = 10_000;
const RULES: OptionRules<AllOptions> = {
  before: whole(0, MAX_OFFSET),
  after: whole(0, MAX_OFFSET),
  abnormal: oneOf("universe", "none"),
  delayMs: WHOLE_MINUTES,
  calendar: FRAME,
  returns: oneOf("wealth", "daily"),
  compat: COMPAT,
};
const ACTION = "average returns around events";
const MIN_EVENTS = 10;
const MIN_SESSIONS = 5;

/**
 * The mean abnormal return around events, and its sum since the first offset.
 *
 * One row per offset: `offset` (sessions; the return of offset 0 ends at the event's session, in which it could first be traded),
 * `mean` (0.01 is one percent; over the events of a session, then over sessions), `standard_error`, `t`, `df`, `p`, `low`, `high`,
 * `sessions` (that have events), `reason`, `n` (events with a return), `unpriced` (events without one at that offset), `unplaced`
 * (events whose session or ticker is not in the prices), `cumulative` (the sum of the means up to the offset).
 * `n`, `unpriced` and `unplaced` add up to the number of events; two events of a stock in one session count once. Events cluster,
 * so the standard error of an offset is that of the means by session, not of single events. Below 10 events or 5 sessions the
 * values are null (`too_few_names`), and the test is null below 20 sessions (`too_few_windows`). The cumulative sums have no
 * standard error.
 *
 * @param events `ticker`, and `session` (a date) or `at` (an instant: the event belongs to the first close strictly later, and to
 * none before the first date of the prices, in UTC)
 * @param returns The result of {@link forwardReturns} with returns of one session
 * @returns A frame of one row per offset: the mean abnormal return, its sum, and their errors
 * @throws {TypeError} If a column is missing, or a value in it
 * @throws {RangeError} If there are no returns of one session, a number is out of range, or no event has a session and ticker of
 * the prices
 * @see MacKinlay (1997), Event studies in economics and finance, Journal of Economic Literature 35
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { eventReturns, forwardReturns } from "scoreframe/analysis";
 *
 * const date = ["2026-10-28", "2026-10-29", "2026-10-30"];
 * const prices = pl.DataFrame({ date, ticker: ["A", "A", "A"], close: [1, 2, 4] });
 * const events = pl.DataFrame({ session: ["2026-10-29"], ticker: ["A"] });
 * const rows = eventReturns(events, forwardReturns(prices, { periods: [1] }), { before: 0, after: 1 });
 * if (rows.getColumn("reason").toArray().join() !== "too_few_names,too_few_names") throw new Error("one event");
 * ```
 */
export function eventReturns(
  events: DataFrame,
  returns: ForwardReturns,
  options?: EventReturnsOptions,
): TableFrame<typeof EVENT_COLUMNS>;
/**
 * The event returns of alphalens by quantile: mean wealth since the first price, padded over gaps.
 *
 * @returns A frame of one row per offset: the mean abnormal return, its sum, and their errors
 * @see MacKinlay (1997), Event studies in economics and finance, Journal of Economic Literature 35
 */
export function eventReturns(
  quantized: HasBuckets,
  returns: ForwardReturns,
  options: AverageCumulativeReturnOptions & { readonly compat: "alphalens" },
): TableFrame<typeof WINDOW_COLUMNS>;
export function eventReturns(
  events: DataFrame | HasBuckets,
  returns: ForwardReturns,
  options: AllOptions = {},
): DataFrame {
  checkOptions("call eventReturns()", options, RULES);
  const { compat, ...rest } = options;
  if (presetOf("eventReturns", compat).events === "quantiles") {
    return averageCumulativeReturn(toQuantized(ACTION, events), returns, rest);
  }
  if (rest.returns !== undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected the option returns only with compat: "alphalens", got it without; ` +
        "leave returns out",
    );
  }
  assertRows(ACTION, events, "events");
  return measure(events, returns, rest);
}

function measure(
  events: DataFrame,
  returns: ForwardReturns,
  options: EventReturnsOptions,
): TableFrame<typeof EVENT_COLUMNS> {
  const { before = 5, after = 10, abnormal = "universe" } = options;
  const { delayMs = 0, calendar = null } = options;
  assertReturns(ACTION, returns, "eventReturns(events, forwardReturns(prices, { periods: [1] }))");
  const daily = dailyReturns(returns, abnormal);
  const { events: placed, unplaced } = placeEvents(ACTION, events, {
    returns,
    rules: { delayMs, calendar },
  });
  let cumulative: number | null = 0;
  const rows = Array.from({ length: before + after + 1 }, (_, i) => {
    const { test, n } = offsetMean(placed, daily, returns.grid.tickers.length, i - before);
    cumulative = cumulative === null || test.mean === null ? null : cumulative + test.mean;
    return { ...test, sessions: test.n, offset: i - before, n, cumulative };
  });
  const found = tableOfRows(rows, EVENT_COLUMNS, {
    unpriced: ({ n }) => placed.length - n,
    unplaced: () => unplaced,
  });
  return markSynthetic(found, hasSynthetic(events) ? ["synthetic"] : []);
}

/** The return that ends in each session, as sessions × tickers. */
function dailyReturns({ grid, windows, entryLag }: ForwardReturns, abnormal: string): Float64Array {
  const one = windows.get(1)?.values;
  if (one === undefined || entryLag !== 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected returns of one session without entryLag, got ` +
        `${one === undefined ? "none of one session" : `an entryLag of ${entryLag}`}; compute ` +
        "them by forwardReturns(prices, { periods: [1] })",
    );
  }
  const width = grid.tickers.length;
  const daily = new Float64Array(one.length).fill(NaN);
  for (let d = 1; d < grid.days.length; d++) {
    const session = one.subarray((d - 1) * width, d * width);
    const known = session.filter((value) => !Number.isNaN(value));
    const mean = abnormal === "none" || known.length === 0 ? 0 : meanOf(known);
    daily.set(session.map((value) => value - mean), d * width);
  }
  return daily;
}

function offsetMean(
  events: readonly PlacedEvent[],
  daily: Float64Array,
  width: number,
  offset: number,
): { test: TestedMean; n: number } {
  const bySession = new Map<number, number[]>();
  for (const { session, column } of events) {
    const place = session + offset;
    const value = place < 0 ? NaN : daily[place * width + column] ?? NaN;
    if (Number.isNaN(value)) continue;
    const values = bySession.get(session) ?? [];
    values.push(value);
    bySession.set(session, values);
  }
  const sessions = [...bySession.keys()];
  const n = sessions.reduce((sum, session) => sum + bySession.get(session)!.length, 0);
  const hasEnough = n >= MIN_EVENTS && sessions.length >= MIN_SESSIONS;
  const kept = hasEnough ? sessions : [];
  const test = testMean({
    values: Float64Array.from(kept, (session) => meanOf(bySession.get(session)!)),
    places: Int32Array.from(kept),
    horizon: 1,
  });
  return { test: hasEnough ? test : { ...test, reason: "too_few_names" }, n };
}

/** Stock and session of an event, as indices into the prices. */
interface PlacedEvent {
  /** The session. */
  readonly session: number;
  /** The ticker. */
  readonly column: number;
}

/** Rules for assigning instants to sessions. */
interface PlacingRules {
  /** Milliseconds between an instant and the moment from which it can be used. */
  readonly delayMs: number;
  /** `date`, `open_at`, `close_at` of each session; `null` for the US market. */
  readonly calendar: DataFrame | null;
}

/**
 * Assigns events to sessions: a date to its own, an instant to the first session that trades strictly later.
 *
 * @throws {TypeError} If a column is missing, or a value in it
 * @throws {RangeError} If no event has a session and a ticker of the prices
 */
function placeEvents(
  action: string,
  events: DataFrame,
  of: { readonly returns: ForwardReturns; readonly rules: PlacingRules },
): Readonly<{ events: readonly PlacedEvent[]; unplaced: number }> {
  const { grid } = of.returns;
  const { names, codes } = readTexts(action, events, "ticker");
  const missing = codes.indexOf(-1);
  if (missing !== -1) {
    throw missingValue(action, "a ticker", missing);
  }
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const { sessions, texts } = sessionsOf(action, events, of);
  const placed = new Map<string, PlacedEvent>();
  const lost = new Set<string>();
  for (const [row, session] of sessions.entries()) {
    const ticker = names[codes[row]!]!;
    const column = columns.get(ticker) ?? -1;
    if (session === -1 || column === -1) lost.add(`${texts(row)} ${ticker}`);
    else placed.set(`${session} ${column}`, { session, column });
  }
  if (placed.size === 0 && lost.size > 0) throw nothingPlaced(action, [...lost], of.returns);
  const sorted = [...placed.values()]
    .toSorted((a, b) => a.session - b.session || a.column - b.column);
  return { events: sorted, unplaced: lost.size };
}

interface Sessions {
  /** The session of each row; -1 for none. */
  readonly sessions: Int32Array;
  /** Time of the event of a row, as text. */
  texts(row: number): string;
}

function sessionsOf(
  action: string,
  events: DataFrame,
  { returns, rules }: Parameters<typeof placeEvents>[2],
): Sessions {
  const { grid } = returns;
  if (!events.columns.includes("at")) {
    const days = readDayColumn(action, events, "session");
    return {
      sessions: days.map(grid.sessionOf).map(placesOfDays(grid.days)),
      texts: (row) => fromEpochDay(days[row]!),
    };
  }
  const instants = readInstantColumn(action, events, "at");
  const missing = instants.findIndex(Number.isNaN);
  if (missing !== -1) {
    throw missingValue(action, "an instant in the column at", missing);
  }
  const { trades } = sessionInstants(returns, rules.calendar, true);
  const sessions = Int32Array.from(instants, (at) => {
    const usable = at + rules.delayMs;
    // Before the first date of the prices, the event may belong to a session that they lack.
    const isBefore = usable < (grid.days[0] ?? Infinity) * DAY_MS;
    return isBefore ? -1 : trades.findIndex((trade) => trade > usable);
  });
  return { sessions, texts: (row) => instantOf(instants[row]!) };
}

function nothingPlaced(
  action: string,
  lost: readonly string[],
  { sessions, grid }: ForwardReturns,
): RangeError {
  return new RangeError(
    `Cannot ${action}: expected events in sessions and tickers of the prices, got none; compare ` +
      `both: the events have ${lost.slice(0, 3).join(", ")}, the prices ` +
      `${grid.tickers.slice(0, 3).join(", ")} from ${sessions[0]} to ${sessions.at(-1)}`,
  );
}
