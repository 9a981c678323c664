import type { DataFrame } from "nodejs-polars";
import { countRows } from "./count_losses.ts";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type AlignedColumns, toDataFrame } from "../dense/to_data_frame.ts";
import { assertCommon, assertHeldOut } from "./sessions/assert_match.ts";
import { presetOf } from "../alphalens_preset.ts";
import { displayParts } from "../table/display_parts.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { ALIGN_RULES, type AlignOptions } from "./sessions/align_options.ts";
import { layOutRows } from "./sessions/lay_out_scores.ts";
import { assertSmallLoss, type LossReport, reportLosses } from "./loss_report.ts";
import type { PlacedRows } from "./sessions/place_rows.ts";
import { assertReturns, type ForwardReturns } from "./prices/forward_returns.ts";
import { assertGroups } from "./read_groups.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { constantText, countDelisted } from "./sessions/sample_ends.ts";
import { marksOf } from "../dense/marks.ts";
import { readScoreRows, type TimedScores } from "./score_rows.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { Timing } from "../../base/wording/sentences/timing_text.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import type { PriceMarket } from "./prices/price_market.ts";

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
  /** The same data as sessions × tickers, the input of every statistic. */
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
  assertHeldOut(ACTION, rows.heldOut, returns.sessions.at(-1));
  const priced = new Set(returns.grid.tickers);
  assertCommon(rows, returns, { entry, priced });
  if (rows.groups !== null) assertGroups(rows.groups, rows.tickers);
  const { dense: laid, placed, versions } = layOutRows(rows, returns, { ...options, entry });
  const kept = incomplete === "keep" ? laid : dropIncomplete(laid);
  const dense = { ...kept, isSynthetic: rows.isSynthetic };
  const aligned = toAligned(dense, { ...placed, versions }, {
    ...{ entry, compat: compat ?? null, tickers: countTickers(rows, priced) },
    timing: {
      ...{ entry, entryLag: returns.entryLag, kind: rows.kind, price: returns.price },
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
      return loss ??= reportLosses(countRows(placed), rows.heldOut);
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
  const isKept = new Uint8Array(tickers.length).fill(excluded === null ? 1 : 0);
  excluded?.forEach((is, row) => {
    if (is === 0) isKept[tickerOf[row]!] = 1;
  });
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
  const { scores, returns, groups } = dense;
  const present = new Uint8Array(scores.length);
  const kept = scores.slice();
  for (let cell = 0; cell < scores.length; cell++) {
    const isWhole = !Number.isNaN(scores[cell]!) && groups?.codes[cell] !== -1 &&
      [...returns.values()].every((values) => !Number.isNaN(values[cell]!));
    if (isWhole) present[cell] = 1;
    else kept[cell] = NaN;
  }
  const width = dense.tickers.length;
  const [first, last] = [present.indexOf(1), present.lastIndexOf(1)];
  return {
    ...dense,
    present,
    scores: kept,
    from: first === -1 ? 0 : Math.floor(first / width),
    to: first === -1 ? 0 : Math.floor(last / width) + 1,
  };
}
