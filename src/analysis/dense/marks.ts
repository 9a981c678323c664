import { FREQUENCIES, seenFrequency } from "../../frames/prices/dates/frequency.ts";
import { type DenseScores, type Marks, returnsOf } from "./dense_frames.ts";

/** The marks of an alignment; of a frame, which has no closes, those that follow from its returns. */
export function marksOf(action: string, dense: DenseScores): Marks {
  return dense.marks?.() ?? marksOfReturns(dense, returnsOf(action, dense, 1));
}

/** Sessions whose closes follow from each other by returns of one session. */
type Run = Readonly<Record<"start" | "end", number>>;

/**
 * Marks from returns alone. What a stock earned over a missing close follows from a return of a longer horizon over it, if there
 * is one. A stock without a return to the end, or for more than a quarter, has ended with its last one. Where no returns are left, a stock with a row can be traded.
 */
function marksOfReturns(dense: DenseScores, returns: Float64Array): Marks {
  const { tickers, days, present } = dense;
  const [width, sessions] = [tickers.length, days.length];
  const moves = returns.slice();
  const quarter = Math.ceil(FREQUENCIES[seenFrequency(days) ?? "daily"].perYear / 4);
  const priced = new Uint8Array((sessions + 1) * width);
  const runs = tickers.map((_, name) => runsOf(dense, returns, name));
  const last = runs.reduce((most, own) => Math.max(most, own.at(-1)?.end ?? 0), 0);
  const ends = new Uint8Array(sessions * width);
  for (const [name, own] of runs.entries()) {
    const final = own.at(-1)?.end ?? last;
    const isOver = (d: number) => {
      ends[d * width + name] = 1;
      moves[d * width + name] = 0;
    };
    if (final < last) isOver(final);
    const levels = new Float64Array(sessions + 1).fill(NaN);
    for (const [i, { start, end }] of own.entries()) {
      for (let d = start; d <= end; d++) priced[d * width + name] = 1;
      levels[start] = 1;
      for (let d = start; d < end; d++) {
        levels[d + 1] = levels[d]! * (1 + returns[d * width + name]!);
      }
      if (i === 0) continue;
      const before = own[i - 1]!.end;
      if (start - before > quarter) {
        isOver(before);
        continue;
      }
      const move = bridge(dense, levels, { name, start, end });
      const known = move / levels[before]! - 1;
      moves[(start - 1) * width + name] = Number.isFinite(known) ? known : NaN;
      // Levels of both sides are of one scale from here on, or of this side alone.
      if (move === move) { for (let d = start; d <= end; d++) levels[d]! *= move; }
      else levels.fill(NaN, 0, start);
    }
  }
  for (let cell = last * width; cell < present.length; cell++) priced[cell]! |= present[cell]!;
  return { moves, priced, ends, until: last };
}

function runsOf(
  { returns: all, tickers, days }: DenseScores,
  returns: Float64Array,
  name: number,
): readonly Run[] {
  const width = tickers.length;
  const runs: Run[] = [];
  let start = -1;
  for (let d = 0; d <= days.length; d++) {
    const cell = d * width + name;
    const isKnown = d < days.length && !Number.isNaN(returns[cell]!);
    // A return of any horizon begins at a close; where one ends, there may be none: the stock may have ended before.
    const isPriced = isKnown ||
      d < days.length && all.values().some((values) => !Number.isNaN(values[cell]!));
    if (isPriced && start === -1) start = d;
    if (isKnown || start === -1) continue;
    runs.push({ start, end: d });
    start = -1;
  }
  return runs;
}

/** The level of a run's first close on the scale of the closes before it, by a longer return from one to the other; NaN without any. */
function bridge(
  { returns, tickers }: DenseScores,
  levels: Float64Array,
  { name, start, end }: Run & { readonly name: number },
): number {
  for (const [horizon, values] of returns) {
    for (let d = Math.max(start, horizon); horizon > 1 && d <= end; d++) {
      const from = d - horizon;
      if (from >= start) break;
      const level = levels[from]! * (1 + values[from * tickers.length + name]!) / levels[d]!;
      if (Number.isFinite(level)) return level;
    }
  }
  return NaN;
}

/** Number of stocks with a score whose last close is before the end of the prices. */
export function countDelisted(
  { scores, tickers, days }: Pick<DenseScores, "scores" | "tickers" | "days">,
  { ends, priced }: Pick<Marks, "ends" | "priced">,
): number {
  const width = tickers.length;
  const ended = [...tickers.keys()].filter((name) => {
    const last = days.findLastIndex((_, d) => priced[d * width + name] === 1);
    return last !== -1 && ends[last * width + name] === 1;
  });
  const isScored = (name: number) => days.some((_, d) => !Number.isNaN(scores[d * width + name]!));
  return ended.filter(isScored).length;
}
