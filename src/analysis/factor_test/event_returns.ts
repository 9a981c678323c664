import type { DataFrame } from "nodejs-polars";
import { ANY_VALUE, checkOptions, oneOf, type OptionRules } from "../../arguments/check_options.ts";
import { describe } from "../../contract/violation.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { ForwardReturns } from "../aligned/forward_returns.ts";
import { sessionInstants } from "../aligned/trade_instants.ts";
import { placesOfDays } from "../dense/days.ts";
import { meanOf } from "../inference/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { readDays, readInstants, readTexts } from "../table/read_columns.ts";
import { testedColumns } from "./_tested_columns.ts";

/** Around events. */
export interface EventReturnsOptions {
  /** Sessions before the event. @default 5 */
  readonly before?: number;
  /** Sessions after it. @default 10 */
  readonly after?: number;
  /** `universe`: less the mean return of all priced names of the session. @default "universe" */
  readonly abnormal?: "universe" | "none";
}

const RULES: OptionRules<EventReturnsOptions> = {
  before: ANY_VALUE,
  after: ANY_VALUE,
  abnormal: oneOf("universe", "none"),
};
const ACTION = "average returns around events";
const MIN_EVENTS = 10;
const MIN_SESSIONS = 5;

interface Event {
  readonly session: number;
  readonly column: number;
}

/**
 * The mean abnormal return around events, and its sum since the first offset.
 *
 * One row an offset: `offset` (sessions; the return of offset 0 ends at the event's session, in which it could first be traded),
 * `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions` (that have events), `reason`, `n` (events with a return), `cumulative` (the sum of the means up to the offset).
 * Events cluster, so that the error of an offset is that of the means of sessions that have events, not of events; below
 * 10 events in 5 sessions the values are null (`too_few_names`). The sums have no error of their own.
 *
 * @param events `ticker`, and `session` (a date) or `at` (an instant: the event belongs to the first close strictly later)
 * @param returns The result of {@link forwardReturns} with returns of one session
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are no returns of one session
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
  options: EventReturnsOptions = {},
): DataFrame {
  checkOptions("eventReturns()", options, RULES);
  assertFrame(ACTION, events);
  const { before = 5, after = 10, abnormal = "universe" } = options;
  for (const count of [before, after]) {
    if (Number.isInteger(count) && count >= 0) continue;
    throw new RangeError(
      `Cannot ${ACTION}: whole numbers of sessions are required, got ${describe(count)}`,
    );
  }
  const daily = dailyReturns(returns, abnormal);
  const found = readEvents(events, returns);
  let cumulative: number | null = 0;
  const rows = Array.from({ length: before + after + 1 }, (_, i) => {
    const { test, n } = offsetMean(found, { daily, returns, offset: i - before });
    cumulative = cumulative === null || test.mean === null ? null : cumulative + test.mean;
    return { offset: i - before, test, n, cumulative };
  });
  return frameOfRows(rows, [
    { name: "offset", type: "count", read: ({ offset }) => offset },
    ...testedColumns<typeof rows[number]>(({ test }) => test),
    { name: "n", type: "count", read: ({ n }) => n },
    { name: "cumulative", type: "number", read: (row) => row.cumulative },
  ]);
}

/** The return that ends in each session, as sessions × tickers. */
function dailyReturns({ grid, windows, entryLag }: ForwardReturns, abnormal: string): Float64Array {
  const one = windows.get(1)?.values;
  if (one === undefined || entryLag !== 0) {
    throw new RangeError(
      `Cannot ${ACTION}: returns of one session without entryLag are required; give periods: [1]`,
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

function readEvents(events: DataFrame, { grid, price }: ForwardReturns): readonly Event[] {
  const { names, codes } = readTexts(ACTION, events, "ticker");
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const sessionOf = events.columns.includes("at")
    ? ofInstants(readInstants(ACTION, events, "at"), sessionInstants(grid.days, price, null).trades)
    : readDays(ACTION, events, "session").map(placesOfDays(grid.days));
  return [...sessionOf.keys()].flatMap((row) => {
    const column = columns.get(names[codes[row]!] ?? "") ?? -1;
    const session = sessionOf[row]!;
    return session === -1 || column === -1 ? [] : [{ session, column }];
  });
}

function ofInstants(instants: Float64Array, trades: Float64Array): Int32Array {
  return Int32Array.from(instants, (at) => trades.findIndex((trade) => trade > at));
}

interface OffsetContext {
  readonly daily: Float64Array;
  readonly returns: ForwardReturns;
  readonly offset: number;
}

function offsetMean(
  events: readonly Event[],
  { daily, returns: { grid }, offset }: OffsetContext,
): { test: TestedMean; n: number } {
  const width = grid.tickers.length;
  const bySession = new Map<number, number[]>();
  for (const { session, column } of events) {
    const place = session + offset;
    const value = place < 0 ? NaN : daily[place * width + column] ?? NaN;
    if (Number.isNaN(value)) continue;
    const values = bySession.get(session) ?? [];
    values.push(value);
    bySession.set(session, values);
  }
  const sessions = [...bySession.keys()].toSorted((a, b) => a - b);
  const n = sessions.reduce((sum, session) => sum + bySession.get(session)!.length, 0);
  const hasEnough = n >= MIN_EVENTS && sessions.length >= MIN_SESSIONS;
  const kept = hasEnough ? sessions : [];
  const test = testMean({
    // Sums in ascending order, so that the order of events means nothing.
    values: Float64Array.from(
      kept,
      (session) => meanOf(bySession.get(session)!.toSorted((a, b) => a - b)),
    ),
    places: Int32Array.from(kept),
    horizon: 1,
  });
  return { test: hasEnough ? test : { ...test, reason: "too_few_names" }, n };
}
