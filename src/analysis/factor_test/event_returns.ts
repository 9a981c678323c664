import { COMPAT } from "../cross_section/read_options.ts";
import { assertRows, FRAME } from "../../frames/frame/assert_frame.ts";
import type { DataFrame } from "nodejs-polars";
import {
  checkOptions,
  oneOf,
  type OptionRules,
  whole,
} from "../../base/arguments/check_options.ts";
import { DELAY } from "../../base/arguments/time_input.ts";
import { hasSynthetic, markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import {
  averageCumulativeReturn,
  type AverageCumulativeReturnOptions,
  type WINDOW_COLUMNS,
} from "../alphalens/average_cumulative_return.ts";
import { sayCompat } from "../say_compat.ts";
import { assertReturns } from "../aligned/prices/assert_returns.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/to_quantized.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { type PlacedEvent, placeEvents } from "./_place_events.ts";
import { TESTED_COLUMNS } from "../inference/tested_columns.ts";

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
  delayMs: DELAY,
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
 * The event returns of alphalens by quantile, as in {@link averageCumulativeReturn}.
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
  if (compat !== undefined) {
    sayCompat(compat, "eventReturns(): mean wealth since the first price, padded over gaps");
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
