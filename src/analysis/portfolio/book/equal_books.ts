import { rowsByLine } from "../../table/frame_of_rows.ts";
import type { HasBuckets } from "../../cross_section/buckets/quantize.ts";
import type { DenseScores, Marks } from "../../dense/dense_frames.ts";
import { moneyDays } from "../../dense/days.ts";
import { marksOf } from "../../dense/marks.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { runAccount } from "./carry_book.ts";
import { kindsOf, type TableOf } from "../../table/columns.ts";

/** Columns of the returns of quantiles that are held, in order. */
const HELD_COLUMNS = "date from quantile return all_names";

/** Returns of quantiles that are held, and of all stocks. */
export type HeldQuantiles = TableOf<typeof HELD_COLUMNS>;

type Span = readonly [from: number, to: number];

/**
 * Returns of an account that brings all chosen stocks to one weight in every session: of those that can be bought, or are held
 * without a close. NaN where it holds nothing.
 */
function equalReturns(
  marks: Marks,
  width: number,
  span: Span,
  chosenIn: Int32Array,
  isChosen: (cell: number) => boolean,
): Float64Array {
  const target = new Float64Array(width);
  const targetOf = (d: number, before: Float64Array) => {
    const session = chosenIn[d - span[0]]!;
    let n = 0;
    target.fill(NaN);
    for (let name = 0; session !== -1 && name < width; name++) {
      const isPriced = marks.priced[d * width + name] === 1;
      // What is held without a close cannot be sold, and takes its share.
      if (isPriced ? !isChosen(session * width + name) : Number.isNaN(before[name]!)) continue;
      target[name] = 1;
      n++;
    }
    for (let name = 0; name < width; name++) target[name]! /= n;
    return target;
  };
  const { returns, counts, unpriced } = runAccount(marks, width, { span, targetOf });
  return returns.map((gain, i) => counts[i] === 0 && unpriced[i] === 0 ? NaN : gain);
}

/**
 * The return of all stocks that have a score, equally weighted, in each session of a span: an account that is brought back to equal
 * weights in every session. A session without any score has the stocks of the last one that has some.
 */
export function heldUniverse(action: string, dense: DenseScores, span: Span): Float64Array {
  const isChosen = (cell: number) => !Number.isNaN(dense.scores[cell]!);
  const chosenIn = lastScored(dense, span, true);
  return equalReturns(marksOf(action, dense), dense.tickers.length, span, chosenIn, isChosen);
}

/**
 * Returns of each quantile and of all stocks, equally weighted, where stocks stay in their quantiles until there are new scores: a
 * session without scores keeps the quantiles of the last one that has some. Sets that stay in force until the next one are left unchanged.
 *
 * @param span The sessions
 */
export function heldQuantiles(
  action: string,
  { dense, buckets, count }: HasBuckets,
  span: Span,
): HeldQuantiles {
  const marks = marksOf(action, dense);
  const chosenIn = lastScored(dense, span, (dense.signals ?? null) === null);
  const of = (isChosen: (cell: number) => boolean) =>
    equalReturns(marks, dense.tickers.length, span, chosenIn, isChosen);
  const all = of((cell) => !Number.isNaN(dense.scores[cell]!));
  const own = Array.from({ length: count }, (_, i) => of((cell) => buckets[cell] === i + 1));
  const days = moneyDays(dense, { span, until: marks.until });
  const { counts, numbers } = rowsByLine(days.date.length, [...own.keys()]);
  return frameOf(kindsOf(HELD_COLUMNS), {
    date: counts((_, session) => days.date[session]!),
    from: counts((_, session) => days.from[session]!),
    quantile: counts((place) => place + 1),
    return: numbers((place, session) => own[place]![session]!),
    all_names: numbers((_, session) => all[session]!),
  });
}

/** For each session of a span the last one up to it that has scores; −1 if it must be the session itself and has none. */
function lastScored(
  { scores, tickers, from }: DenseScores,
  span: Span,
  goesOn: boolean,
): Int32Array {
  const width = tickers.length;
  const isScored = (d: number) =>
    scores.subarray(d * width, (d + 1) * width).some((score) => score === score);
  let last = span[0];
  while (goesOn && last > from && !isScored(last)) last--;
  if (!isScored(last)) last = -1;
  return Int32Array.from({ length: Math.max(0, span[1] - span[0]) }, (_, i) => {
    const d = span[0] + i;
    const own = d < scores.length / Math.max(1, width) && isScored(d) ? d : -1;
    if (own !== -1) last = own;
    return goesOn ? last : own;
  });
}
