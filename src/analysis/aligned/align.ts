import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../../frames/frame/assert_rows.ts";
import { type HeldOut, heldOutOf, markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import { hasSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { toDataFrame } from "../dense/to_data_frame.ts";
import { assertHeldOut } from "./assert_held_out.ts";
import { sayCompat } from "../say_compat.ts";
import { displayParts } from "../table/display_parts.ts";
import { type AlignOptions, checkAlignOptions } from "./align_options.ts";
import type { Aligned } from "./aligned.ts";
import { layOutRows } from "./lay_out_scores.ts";
import { assertSmallLoss, type LossReport, toLossReport } from "./loss_report.ts";
import type { LayOutContext } from "./place_rows.ts";
import type { Places } from "./place_sets.ts";
import { assertReturns } from "./prices/assert_returns.ts";
import type { ForwardReturns } from "./prices/forward_returns.ts";
import { assertGroups } from "./read_groups.ts";
import { assertCommon } from "./assert_common.ts";
import { sayNotice } from "../../frames/notebook/kernel/say_notice.ts";
import { constantText } from "./constant_scores.ts";
import { countDelisted } from "./count_delisted.ts";
import { marksOf } from "../dense/marks.ts";
import { readScoreRows, type TimedScores } from "./score_rows.ts";

/**
 * Assigns scores to the sessions in which they could be traded, and joins them with forward returns.
 *
 * A row was known at its `at`, else its `last_checked_at`, else its `calculated_at`; never at its `data_through`. It
 * belongs to the first session whose close (or open, if returns are computed from opens) is strictly later. A row with
 * a `date` is known at the close of that session. If several sets precede one close, the latest is in force; a live set
 * stays in force until the next one, and the last one for the usual gap between sets. A return missing at one horizon
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
  checkAlignOptions("align()", options);
  assertRows("align scores", scores, "scores");
  assertReturns("align scores", returns, "align(scores, forwardReturns(prices))");
  const { compat } = options;
  sayCompat(
    compat,
    "align(): entry at the session itself; a row without a return of any horizon is dropped",
  );
  const entry = options.entry ?? (compat === undefined ? "next" : "same");
  const heldOut = heldOutOf(scores);
  assertHeldOut("align scores", heldOut, returns.sessions.at(-1));
  const rows = readScoreRows(scores, options.score ?? null, options.where ?? null);
  assertCommon(rows, returns, entry);
  if (options.groups !== undefined) assertGroups(options.groups, rows.tickers);
  const { dense: laid, context } = layOutRows(rows, returns, { ...options, entry });
  const kept = compat === undefined ? laid : dropIncomplete(laid);
  const dense = { ...kept, isSynthetic: hasSynthetic(scores) };
  const aligned = toAligned(dense, { rows, context, entry, heldOut, compat: compat ?? null });
  if (aligned.constantScores !== null) sayNotice(aligned.constantScores);
  if (options.maxLoss !== undefined) assertSmallLoss(aligned.loss, options.maxLoss);
  return aligned;
}

interface AlignedParts extends Pick<Aligned, "entry" | "compat"> {
  readonly rows: TimedScores;
  readonly context: LayOutContext;
  readonly heldOut: HeldOut | null;
}

function toAligned(
  dense: DenseScores,
  { rows, context, entry, compat, heldOut }: AlignedParts,
): Aligned {
  const { returns, places } = context;
  const { length } = returns.grid.days;
  let loss: LossReport | null = null;
  let data: Aligned["data"] | null = null;
  let delisted: number | null = null;
  const aligned: Aligned = {
    ...displayParts(
      () => String(aligned.loss),
      () => ({ loss: aligned.loss.table, data: aligned.data }),
    ),
    get data() {
      return data ??= markHeldOut(
        toDataFrame(dense, { known: knownOfSessions(places, length) }),
        heldOut,
      );
    },
    get loss() {
      return loss ??= toLossReport(rows, context, heldOut);
    },
    constantScores: constantText(dense),
    get delisted() {
      return delisted ??= countDelisted(dense, marksOf("align scores", dense));
    },
    tickers: countTickers(rows),
    sessions: returns.sessions,
    market: returns.market,
    periods: returns.periods,
    score: rows.score,
    entry,
    compat,
    dense,
  };
  return aligned;
}

/** Number of tickers with a row that no condition excludes. */
function countTickers({ tickers, tickerOf, excluded = null }: TimedScores): number {
  if (excluded === null) return tickers.length;
  return new Set(tickerOf.filter((_, row) => excluded[row] === 0)).size;
}

/** Instants at which the scores of each session were known; NaN for sessions without any. */
function knownOfSessions({ from, to, fates, known }: Places, sessions: number): Float64Array {
  const result = new Float64Array(sessions).fill(NaN);
  for (const [time, fate] of fates.entries()) {
    if (fate === null) result.fill(known[time]!, from[time]!, to[time]!);
  }
  return result;
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
