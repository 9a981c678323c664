import { displayParts } from "../table/frame_of_rows.ts";
import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { type HeldOut, markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import { type AlignedColumns, type DenseScores, toDataFrame } from "../dense/dense_frames.ts";
import { presetOf } from "../alphalens_preset.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { ALIGN_RULES, type AlignOptions, type PlacedRows } from "./sessions/place_rows.ts";
import { layOutRows } from "./sessions/lay_out_scores.ts";
import { assertSmallLoss, type LossReport, reportLosses } from "./loss_report.ts";
import { assertReturns, type ForwardReturns } from "./prices/forward_returns.ts";
import { assertGroups } from "./read_groups.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { readScoreRows, type TimedScores, timeText } from "./score_rows.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { Timing } from "../../base/wording/sentences/timing_text.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import type { PriceMarket } from "./prices/price_market.ts";
import { shiftOf } from "../../frames/prices/dates/dates_to_sessions.ts";
import { DAY_MS, fromEpochDay, weekdayOf } from "../../base/calendar/civil_date.ts";
import { countText } from "../../base/wording/number_text.ts";
import { nearTickersText } from "./near_tickers.ts";
import { areMonthEnds } from "./sessions/place_sets.ts";
import { countDelisted, marksOf } from "../dense/marks.ts";

// Shorter runs, and those after fewer changes, are no surprise.
const FEWEST_SESSIONS = 10;

const FEWEST_CHANGES = 5;

const LONGER = 3;

const WEEKDAYS = 5;

const FEWEST_INSTANTS = 10;

const ACTION = "align scores";

/** Scores assigned to sessions and joined with forward returns: every row kept, every loss itemised. */
export interface Aligned {
  /**
   * One row per session and ticker with a row in the scores, scored or not, priced or not; by session and ticker, built
   * on first access. Columns: `session` (Date; the score was known before it trades), `ticker`, `score` (null also without a price at
   * the entry, unless `universe` is `"scored"`), `group` if groups were given, `return_h` for each horizon, `known_at` (Datetime, UTC), `age` (Int32, sessions since the
   * score was published or changed; null without a score).
   */
  readonly data: TypedFrame<AlignedColumns>;
  /** Fate of every input row. */
  readonly loss: LossReport;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** The market of the prices: their frequency, their calendar, and the periods of a year. */
  readonly market: PriceMarket;
  /** Number of tickers of the scores that have prices: of the rows that `where` keeps, if it was given. */
  readonly tickers: number;
  /** Sentence on scores of which none changes from a session to the end; `null` without such an end. */
  readonly constantScores: string | null;
  /** Number of stocks with a score whose closes end before the last session of the prices. */
  readonly delisted: number;
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /** The column of the scores that is analysed. */
  readonly score: string;
  /** `low` if low values of the column are expected to earn more, so that `score` has the other sign. */
  readonly direction: "high" | "low";
  /** When a score is known, and when it is traded. */
  readonly timing: Timing;
  /** `next` if a session has to trade after a score was known, `same` if it may trade at the same instant. */
  readonly entry: "next" | "same";
  /** `"alphalens"` if rows that lack a return of any horizon were dropped, as alphalens does. */
  readonly compat: "alphalens" | null;
  /**
   * The same data as sessions × tickers, the input of every statistic.
   *
   * @ignore
   */
  readonly dense: DenseScores;
}

/**
 * Assigns scores to the sessions in which they could be traded, and joins them with forward returns.
 *
 * A row was known at its `at`, else its `last_checked_at`, else its `calculated_at`; never at its `data_through`. It
 * belongs to the first session whose close (or open, if returns are computed from opens) is strictly later. A row with
 * a `date` is known at the close of that session. If several sets precede one close, the latest is in force; a live set
 * stays in force until the next one, and the last one for the usual gap between sets. Where rows have a `date` and an instant, each is a
 * version: in force is, of each stock, the latest date known, in its latest version; a restated older date never is. A return missing at one horizon
 * drops no row at another, prices are not carried forward, and the loss report counts every input row once.
 *
 * @param scores A release, a panel, stacked score sets, or any frame with a date or an instant
 * @param returns The result of {@link forwardReturns}
 * @returns The rows by session and ticker (`data`), the fate of each input row (`loss`), and the sessions; input
 *   of every statistic
 * @throws {TypeError} If a column is missing, an instant has no time zone, live sets are mixed with a release, or a session and
 * ticker repeat
 * @throws {RangeError} If there are no rows, scores and prices share no ticker or session, or the prices end before the scores begin
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { align, forwardReturns } from "scoreframe/analysis";
 *
 * const prices = pl.DataFrame({
 *   date: ["2026-10-28", "2026-10-29", "2026-10-30"],
 *   ticker: ["AAA", "AAA", "AAA"],
 *   close: [100, 101, 103.02],
 * });
 * const scores = pl.DataFrame({ date: ["2026-10-28"], ticker: ["AAA"], score: [0.7] });
 * const aligned = align(scores, forwardReturns(prices, { periods: [1] }));
 * const [gain] = aligned.data.getColumn("return_1").toArray();
 * if (Math.abs(Number(gain) - 0.02) > 1e-12) throw new Error("entered at the close of the 29th");
 * ```
 */
export function align(
  scores: DataFrame,
  returns: ForwardReturns,
  options: AlignOptions = {},
): Aligned {
  checkOptions("call align()", options, ALIGN_RULES);
  assertRows(ACTION, scores, "scores");
  assertReturns(ACTION, returns, "align(scores, forwardReturns(prices))");
  return alignRows(readScoreRows(scores, options), returns, options);
}

/** Assigns rows that were read to sessions, and joins them with forward returns. */
export function alignRows(
  rows: TimedScores,
  returns: ForwardReturns,
  options: AlignOptions,
): Aligned {
  const { compat } = options;
  const { entry: usual = "next", incomplete = "keep" } = presetOf("align", compat);
  const { entry = usual } = options;
  assertHeldOut(rows.heldOut, returns.sessions.at(-1));
  const priced = new Set(returns.grid.tickers);
  assertCommon(rows, returns, entry, priced);
  if (rows.groups !== null) assertGroups(rows.groups, rows.tickers);
  const { dense: laid, placed, versions } = layOutRows(rows, returns, { ...options, entry });
  const kept = incomplete === "keep" ? laid : dropIncomplete(laid);
  const dense = { ...kept, isSynthetic: rows.isSynthetic };
  const aligned = toAligned(dense, { ...placed, versions }, {
    entry,
    compat: compat ?? null,
    tickers: countTickers(rows, priced),
    timing: {
      entry,
      entryLag: returns.entryLag,
      kind: rows.kind,
      price: returns.price,
      delay: (rows.kind === "date" ? options.delay : options.delayMs) ?? 0,
    },
  });
  if (aligned.constantScores !== null) sayNotice(aligned.constantScores);
  if (options.maxLoss !== undefined) assertSmallLoss(aligned.loss, options.maxLoss);
  return aligned;
}

function toAligned(
  dense: DenseScores,
  placed: PlacedRows & { readonly versions: Int32Array | null },
  { timing, ...rules }: Pick<Aligned, "timing" | "entry" | "compat" | "tickers">,
): Aligned {
  const { rows, returns } = placed;
  let loss: LossReport | null = null;
  let data: Aligned["data"] | null = null;
  let delisted: number | null = null;
  const aligned: Aligned = {
    ...displayParts(
      () => String(aligned.loss),
      () => ({ loss: aligned.loss.table, data: aligned.data }),
    ),
    get data() {
      const known = knownOfCells(placed, returns.sessions.length);
      return data ??= markHeldOut(toDataFrame(dense, { known }), rows.heldOut);
    },
    get loss() {
      return loss ??= reportLosses(placed);
    },
    constantScores: constantText(dense),
    get delisted() {
      return delisted ??= countDelisted(dense, marksOf(ACTION, dense));
    },
    sessions: returns.sessions,
    market: returns.market,
    periods: returns.periods,
    score: rows.score,
    direction: rows.direction,
    timing,
    ...rules,
    dense,
  };
  return aligned;
}

/** Number of priced tickers with a row that no condition excludes. */
function countTickers(
  { tickers, tickerOf, excluded }: TimedScores,
  priced: ReadonlySet<string>,
): number {
  const isKept = new Uint8Array(tickers.length);
  for (let row = 0; row < tickerOf.length; row++) {
    if (excluded === null || excluded[row] === 0) isKept[tickerOf[row]!] = 1;
  }
  return tickers.filter((name, ticker) => isKept[ticker] === 1 && priced.has(name)).length;
}

/** The instant at which the score of a cell was known; NaN for sessions without any. */
function knownOfCells(
  { places, versions, rows: { tickers } }: Parameters<typeof toAligned>[1],
  sessions: number,
): (cell: number) => number {
  const { from, to, fates, known } = places;
  if (versions !== null) return (cell) => known[versions[cell]! - 1] ?? NaN;
  const result = new Float64Array(sessions).fill(NaN);
  for (const [time, fate] of fates.entries()) {
    if (fate === null) result.fill(known[time]!, from[time]!, to[time]!);
  }
  return (cell) => result[Math.floor(cell / tickers.length)]!;
}

function dropIncomplete(dense: DenseScores): DenseScores {
  const { groups, tickers } = dense;
  const sides = [dense.scores, ...dense.returns.values()];
  const present = Uint8Array.from(dense.scores, (_, cell) => {
    const isWhole = groups?.codes[cell] !== -1 && sides.every((side) => side[cell] === side[cell]);
    return isWhole ? 1 : 0;
  });
  const scores = dense.scores.map((score, cell) => present[cell] === 1 ? score : NaN);
  const from = Math.max(0, Math.floor(present.indexOf(1) / tickers.length));
  const to = Math.floor(present.lastIndexOf(1) / tickers.length) + 1;
  return { ...dense, present, scores, from, to };
}

/** Refuses dated scores without a common session; the last days of months count at the session before, and are said. */
function assertCommonDates(
  rows: TimedScores,
  { grid, sessions, market }: ForwardReturns,
  entry: "next" | "same",
): void {
  const days = new Set(grid.days);
  if (market.calendar === "us" && market.frequency === "daily") refuseShift(rows);
  const overlaps = rows.times.some((day) => day >= grid.days[0]!);
  if (entry === "next" && overlaps && areMonthEnds(rows.times)) {
    const moved = rows.times.filter((day) => !days.has(grid.sessionOf(day))).length;
    if (moved > 0) {
      sayNotice(
        `Scores are dated by the last days of months: ${countText(moved, "date")} without a ` +
          `session ${moved === 1 ? "counts" : "count"} as the session before`,
      );
    }
    return;
  }
  if (rows.times.some((day) => days.has(grid.sessionOf(day)))) return;
  const some = [...rows.times.keys()].slice(0, 3).map((time) => timeText(rows, time));
  throw new RangeError(
    "Cannot align scores: expected dates that are sessions of the prices, got none; compare both: the scores " +
      `have ${some.join(", ")}, the prices ${sessions.slice(0, 3).join(", ")}`,
  );
}

/**
 * Refuses scores and prices without a common ticker or session, and scores whose dates are a day off.
 *
 * @throws {RangeError} With three of each side, or the call that moves the dates
 */
function assertCommon(
  rows: TimedScores,
  returns: ForwardReturns,
  entry: "next" | "same",
  priced: ReadonlySet<string>,
): void {
  const { sessions, grid: { tickers } } = returns;
  if (sessions.length === 0) {
    throw new RangeError(
      "Cannot align scores: expected prices of at least one session, got none; look at the filter or the file " +
        "that they come from",
    );
  }
  if (!rows.tickers.some((ticker) => priced.has(ticker))) {
    const near = nearTickersText(rows.tickers, "prices", tickers);
    throw new RangeError(
      "Cannot align scores: expected tickers that are in the prices, got none; compare both: the " +
        `scores have ${rows.tickers.slice(0, 3).join(", ")}, the prices ` +
        `${tickers.slice(0, 3).join(", ")}` +
        (near === null ? "" : `; ${near}`),
    );
  }
  const first = timeText(rows, 0);
  if (first.slice(0, 10) > sessions.at(-1)!) {
    throw new RangeError(
      `Cannot align scores: expected prices from ${first.slice(0, 10)} on, got prices that end ` +
        `on ${sessions.at(-1)}; load later ones`,
    );
  }
  if (rows.kind === "date") return assertCommonDates(rows, returns, entry);
  const { times, published } = rows;
  const areMidnights = times.length >= FEWEST_INSTANTS && times.every((ms) => ms % DAY_MS === 0);
  if (published === null && areMidnights) {
    sayNotice(
      "All scores were known at midnight UTC, as dates that became instants say: they are entered at the close of that day. " +
        "Name the column date if a score is known at the close of its date",
    );
  }
}

// Scores of each session whose dates are those of the calendar a day late or early; weekly scores may be dated by any day.
function refuseShift(rows: TimedScores): void {
  const days = Int32Array.from(rows.times);
  if (new Set(days.map(weekdayOf)).size < WEEKDAYS) return;
  const shift = shiftOf(days);
  if (shift === null) return;
  const moved = `pl.col("date").cast(pl.Date).cast(pl.Int32).${shift === -1 ? "sub" : "add"}(1)`;
  throw new RangeError(
    "Cannot align scores: expected dates that are sessions, got dates a day " +
      `${shift === -1 ? "later" : "earlier"} than those ` +
      `(${[...rows.times.keys()].slice(0, 3).map((time) => timeText(rows, time)).join(", ")}, ` +
      `…); use scores.withColumns(${moved}.cast(pl.Date)) to move all by a day, or give the ` +
      "instants at which scores were known in a column at",
  );
}

/**
 * Refuses prices from which an outcome in the hold-out of the scores could be computed.
 *
 * @param heldOut Hold-out of the study of the scores; `null` for none
 * @param last The last session of the prices; `undefined` without any
 * @throws {RangeError} If they reach into a hold-out that was not opened
 */
function assertHeldOut(heldOut: HeldOut | null, last: string = ""): void {
  if (heldOut === null || heldOut.isOpen || last < heldOut.from) return;
  throw new RangeError(
    `Cannot ${ACTION}: expected prices that end before ${heldOut.from}, from which the study of the scores holds ` +
      `sessions out, got prices to ${last}; read them from a file in the folder of the study, or open the hold-out with ` +
      "study.openHoldOut(NAME)",
  );
}

/** Sentence on scores of which none changes from a session to the end, though they changed often before; `null` without such an end. */
function constantText({ scores, tickers, days, from, to }: DenseScores): string | null {
  const width = tickers.length;
  const known = new Float64Array(width).fill(NaN);
  let [run, longest, changes, since] = [0, 0, 0, -1];
  for (let d = from; d < to && scores.length > 0; d++) {
    let [isScored, isChanged] = [false, false];
    for (let name = 0; name < width; name++) {
      const score = scores[d * width + name]!;
      if (score !== score) continue;
      isScored = true;
      if (known[name] === known[name] && known[name] !== score) isChanged = true;
      known[name] = score;
    }
    if (!isScored) continue;
    if (since === -1 || isChanged) {
      longest = Math.max(longest, run);
      [run, since] = [0, d];
      changes++;
    } else run++;
  }
  const isEnd = run >= FEWEST_SESSIONS && run > LONGER * longest && changes > FEWEST_CHANGES;
  return isEnd
    ? `No score changes after ${fromEpochDay(days[since]!)}: ${countText(run, "session")} repeat ` +
      "the scores of that one, as if they had been filled."
    : null;
}
