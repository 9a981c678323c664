import type { DataFrame } from "nodejs-polars";
import { assertRows, FRAME } from "../../frames/frame/assert_frame.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { WHOLE_MINUTES } from "../aligned/sessions/place_rows.ts";
import { hasSynthetic, markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { assertReturns, type ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { GROUPS, layOutGroups, readGroups } from "../aligned/read_groups.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { testMean } from "../inference/test_mean.ts";
import { testedCells, type TestedMean } from "../inference/tested_mean.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { onlyScore } from "../table/score_columns.ts";
import { ACTION, type PlacedEvent, placeEvents, trailingQuantiles } from "./_placed_events.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const EVENT_COLUMNS = `group offset ...tested n unpriced unplaced cumulative cumulative_low
  cumulative_high cumulative_p`;

/** Options of {@link eventReturns}. */
export interface EventReturnsOptions {
  /** Number of sessions before the event. @default 5 */
  readonly before?: number;
  /** Number of sessions after the event. @default 10 */
  readonly after?: number;
  /**
   * The return less that of all priced stocks of the session (`universe`) or of the stock's group (`group`), or the residual of a
   * regression on the former over the 120 sessions that end before the first offset, at least 60 (`beta`).
   *
   * @default "universe"
   */
  readonly abnormal?: "universe" | "beta" | "group" | "none";
  /** Sorts the events into so many quantiles by their score among the events of the trailing quarter. @default none */
  readonly quantiles?: number;
  /** Sorts by the score, or by its change since the event of the stock before. @default "score" */
  readonly by?: "score" | "change";
  /** The column of scores. @default the only column that is named like a score */
  readonly score?: string;
  /** `ticker`, `group`, and if groups change `from` and `to`, for `abnormal: "group"`. @default none */
  readonly groups?: DataFrame;
  /** Milliseconds between the instant of an event and the moment from which it can be used. @default 0 */
  readonly delayMs?: number;
  /** `date`, `open_at`, `close_at` of each session, for events with instants. @default the US market */
  readonly calendar?: DataFrame;
}

const MAX_OFFSET = 10_000;
const RULES: rules.OptionRules<EventReturnsOptions> = {
  before: rules.whole(0, MAX_OFFSET),
  after: rules.whole(0, MAX_OFFSET),
  abnormal: rules.oneOf("universe", "beta", "group", "none"),
  quantiles: rules.whole(2),
  by: rules.oneOf("score", "change"),
  score: rules.TEXT,
  groups: GROUPS,
  delayMs: WHOLE_MINUTES,
  calendar: FRAME,
};
const MIN_EVENTS = 10;
const MIN_SESSIONS = 5;
const [REGRESSED, LEAST_REGRESSED] = [120, 60];
const QUARTERS = 4;

/**
 * The mean abnormal return around events, by offset and cumulated from the event on; with `quantiles`, by quantile of the events'
 * scores, and top minus bottom.
 *
 * One row per group and offset: `group` (`quantile 1` and so on, and `top minus bottom`; left out without quantiles), `offset`
 * (sessions; the return of offset 0 ends at the event's session, in which it could first be traded), `mean` (0.01 is one percent;
 * over the events of a session, then over sessions), `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions` (that have events),
 * `reason`, `n` (events with a return), `unpriced` (events without one at that offset), `unplaced` (events whose session or ticker is
 * not in the prices, or that could not be sorted), `cumulative` (sum of the returns that end after the event's session, the entry; before the event,
 * minus the sum up to it, so that it is 0 there), with its interval and p value. Events of a stock in one session count once, the
 * later one.
 *
 * Errors are clustered by date: they are of the means by session, whose windows overlap, and not of single events. A score
 * is sorted among the events of the trailing quarter, so that nothing later counts. Below 10 events or 5 sessions the
 * values are null (`too_few_names`), and a test is null below 20 sessions or 10 windows that do not overlap (`too_few_windows`).
 * A cumulated return is over the events with a return in each session of it. `deno task bench events` measures the size of the test.
 *
 * @param events `ticker`, the score if `quantiles` are asked for, and `session` (a date) or `at`, `last_checked_at` or
 * `calculated_at` (an instant: the event belongs to the first close strictly later, and to none before the first date of the prices, in UTC)
 * @param returns The result of {@link forwardReturns} with returns of one session
 * @returns A frame of one row per group and offset: the mean abnormal return, its cumulation, and their errors
 * @throws {TypeError} If a column is missing, or a value in it, or `abnormal: "group"` has no groups
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
  options: EventReturnsOptions = {},
): TableOf<typeof EVENT_COLUMNS> {
  rules.checkOptions("call eventReturns()", options, RULES);
  const { before = 5, after = 10, quantiles, by, abnormal, groups } = options;
  assertRows(ACTION, events, "events");
  assertReturns(ACTION, returns, "eventReturns(events, forwardReturns(prices, { periods: [1] }))");
  if (abnormal === "group" && groups === undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected groups with abnormal: "group", got none; give { groups }, a frame of ticker and group`,
    );
  }
  const score = quantiles === undefined ? null : options.score ?? onlyScore(ACTION, events);
  const { events: placed, unplaced } = placeEvents(events, returns, score, options);
  const measured = measure(placed, returns, { ...options, before, after });
  const sets = quantiles === undefined
    ? [{ group: null, sides: [measured] }]
    : sorted(measured, returns.market.periodsPerYear, { quantiles, ...by && { by } });
  const inSets = sets.flatMap(({ sides }) => sides.length === 1 ? sides[0]! : []).length;
  const span = { before, after, unplaced: unplaced + placed.length - inSets };
  const rows = sets.flatMap((set) => rowsOf(set, span));
  const table = tableOfRows(rows, EVENT_COLUMNS);
  const found = quantiles === undefined ? framed(table.drop("group")) : table;
  return markSynthetic(found, hasSynthetic(events) ? ["synthetic"] : []) as typeof table;
}

/** An event with its abnormal returns by offset. */
interface MeasuredEvent extends PlacedEvent {
  readonly returns: Float64Array;
}

/** The groups of sorted events, each quantile and the difference of the outer two. */
function sorted(
  events: readonly MeasuredEvent[],
  periodsPerYear: number,
  how: { readonly quantiles: number; readonly by?: "score" | "change" },
): readonly EventSet[] {
  const of = trailingQuantiles(events, Math.max(1, Math.round(periodsPerYear / QUARTERS)), how);
  const parts = Array.from(
    { length: how.quantiles },
    (_, i) => events.filter((_, event) => of[event] === i + 1),
  );
  return [
    ...parts.map((part, i) => ({ group: `quantile ${i + 1}`, sides: [part] })),
    { group: "top minus bottom", sides: [parts.at(-1)!, parts[0]!] },
  ];
}

/** Events of a group; of two sides, the first less the second. */
interface EventSet {
  readonly group: string | null;
  readonly sides: readonly (readonly MeasuredEvent[])[];
}

function rowsOf(
  { group, sides }: EventSet,
  { before, after, unplaced }: Readonly<Record<"before" | "after" | "unplaced", number>>,
) {
  const all = sides.flat().length;
  return Array.from({ length: before + after + 1 }, (_, i) => {
    const offset = i - before;
    const { test, n } = meanOver(sides, (event) => event.returns[i]!, 1);
    const [from, to, sign] = offset > 0 ? [before + 1, i + 1, 1] : [i + 1, before + 1, -1];
    const total = ({ returns }: MeasuredEvent) =>
      sign! * returns.subarray(from, to).reduce((sum, value) => sum + value, 0);
    const none = { mean: test.mean && 0, low: null, high: null, p: null };
    const { mean, low, high, p } = offset === 0 ? none : meanOver(sides, total, to! - from!).test;
    return [group, offset, ...testedCells(test), n, all - n, unplaced, mean, low, high, p];
  });
}

/** The mean over sessions of the means of their events, the first side less the second, with its test. */
function meanOver(
  sides: readonly (readonly MeasuredEvent[])[],
  valueOf: (event: MeasuredEvent) => number,
  horizon: number,
): { readonly test: TestedMean; readonly n: number } {
  let [n, hasEnough] = [0, true];
  const means = sides.map((side) => {
    const known = side.map((event) => ({ session: event.session, value: valueOf(event) }))
      .filter(({ value }) => !Number.isNaN(value));
    n += known.length;
    const bySession = Map.groupBy(known, ({ session }) => session);
    hasEnough &&= known.length >= MIN_EVENTS && bySession.size >= MIN_SESSIONS;
    return new Map(
      [...bySession].map(([at, some]) => [at, meanOf(some.map(({ value }) => value))]),
    );
  });
  const places = hasEnough
    ? [...new Set(means.flatMap((side) => [...side.keys()]))].sort((a, b) => a - b)
    : [];
  const values = new Float64Array(places.length);
  for (const [i, side] of means.entries()) {
    const mean = meanOf([...side.values()]);
    // A session without events of this side adds nothing to its mean; the mean over all sessions stays the same.
    const scale = places.length / side.size;
    for (const [row, place] of places.entries()) {
      const own = side.get(place);
      values[row]! += (i === 0 ? 1 : -1) * (mean + (own === undefined ? 0 : scale * (own - mean)));
    }
  }
  const test = testMean({ values, places: Int32Array.from(places), horizon });
  return { test: hasEnough ? test : { ...test, reason: "too_few_names" }, n };
}

/** The abnormal returns of each event at each offset; NaN for none. */
function measure(
  events: readonly PlacedEvent[],
  returns: ForwardReturns,
  { before, after, abnormal = "universe", groups }: EventReturnsOptions & {
    readonly before: number;
    readonly after: number;
  },
): readonly MeasuredEvent[] {
  const { days, tickers: { length: width } } = returns.grid;
  const raw = endingReturns(returns);
  const codes = abnormal === "group"
    ? layOutGroups(readGroups(groups!), returns.grid).codes
    : new Int32Array(raw.length);
  const usual = meansOf(raw, codes, width);
  const at = (column: number, session: number): readonly [number, number] => {
    if (session < 0 || session >= days.length) return [NaN, NaN];
    const cell = session * width + column;
    return [raw[cell]!, abnormal === "none" ? 0 : usual(session, codes[cell]!)];
  };
  return events.map((event) => {
    const { column, session } = event;
    const [alpha, beta] = abnormal === "beta"
      ? regress(
        Array.from({ length: REGRESSED }, (_, i) => at(column, session - before - REGRESSED + i)),
      )
      : [0, 1];
    const own = Float64Array.from({ length: before + after + 1 }, (_, i) => {
      const [value, mean] = at(column, session - before + i);
      return value - alpha - beta * mean;
    });
    return { ...event, returns: own };
  });
}

/** Mean return of the stocks of each group, as sessions × groups. */
function meansOf(returns: Float64Array, codes: Int32Array, width: number) {
  const groups = codes.reduce((most, code) => Math.max(most, code + 1), 0);
  const sums = new Float64Array(returns.length / width * groups);
  const counts = new Float64Array(sums.length);
  for (const [cell, value] of returns.entries()) {
    const code = codes[cell]!;
    if (value !== value || code === -1) continue;
    const place = Math.floor(cell / width) * groups + code;
    sums[place]! += value;
    counts[place]!++;
  }
  return (session: number, code: number) =>
    code === -1 ? NaN : sums[session * groups + code]! / counts[session * groups + code]!;
}

/** Intercept and slope of returns on the market's; NaN with too few. */
function regress(pairs: readonly (readonly [number, number])[]): readonly [number, number] {
  const known = pairs.filter(([value, mean]) => value === value && mean === mean);
  if (known.length < LEAST_REGRESSED) return [NaN, NaN];
  const [y, x] = [0, 1].map((i) => meanOf(known.map((pair) => pair[i]!)));
  let [xy, xx] = [0, 0];
  for (const [value, mean] of known) {
    xy += (mean - x!) * (value - y!);
    xx += (mean - x!) ** 2;
  }
  const slope = xy / xx;
  return [y! - slope * x!, slope];
}

/** The return that ends in each session, as sessions × tickers. */
function endingReturns({ grid, windows, entryLag }: ForwardReturns): Float64Array {
  const one = windows.get(1)?.values;
  if (one === undefined || entryLag !== 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected returns of one session without entryLag, got ` +
        `${one === undefined ? "none of one session" : `an entryLag of ${entryLag}`}; compute ` +
        "them by forwardReturns(prices, { periods: [1] })",
    );
  }
  const ending = new Float64Array(one.length).fill(NaN);
  ending.set(one.subarray(0, one.length - grid.tickers.length), grid.tickers.length);
  return ending;
}
