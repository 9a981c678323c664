import type { RandomSource } from "../inference/method/random_source.ts";
import { isBlank } from "./compare_up_to.ts";
import { hasRestated } from "./change_future.ts";
import type { ProbedInput } from "./probed_input.ts";
import type { SignalOutput } from "./signal_output.ts";

const SHARES = [0.35, 0.6, 0.85];
const AROUND = 0.08;
/** Number of sessions with a value below which no history is cut. */
export const LEAST_PROBED = 10;

/** The distinct times at which a signal has values, ascending. */
export function timesWithValues({ times, columns }: SignalOutput): readonly number[] {
  const cells = [...columns.values()];
  const found = new Set<number>();
  for (const [row, time] of times.values.entries()) {
    if (!found.has(time) && cells.some((values) => !isBlank(values[row]))) found.add(time);
  }
  return [...found].sort((a, b) => a - b);
}

/** Three times at which the history is cut: early, in the middle and late, where gaps and restatements are open. */
export function chooseCuts(
  sessions: readonly number[],
  inputs: readonly ProbedInput[],
): readonly number[] {
  const gaps = gapsByTime(inputs);
  const most = Math.max(1, ...gaps.values());
  const last = sessions.length - 2;
  return SHARES.map((share) => {
    const middle = Math.floor(share * last);
    const width = Math.floor(AROUND * last);
    const near = sessions.slice(Math.max(1, middle - width), middle + width + 1)
      .toSorted((a, b) => distance(a, sessions[middle]!) - distance(b, sessions[middle]!));
    const scores = near.map((time) =>
      (gaps.get(time) ?? 0) / most + (inputs.some((input) => hasRestated(input, time)) ? 1 : 0)
    );
    return near[scores.indexOf(Math.max(...scores))]!;
  });
}

function distance(time: number, other: number): number {
  return Math.abs(time - other);
}

/** Tickers of which a third ends where values are perturbed; none among few. */
export function endedTickers(
  inputs: readonly ProbedInput[],
  random: RandomSource,
): ReadonlySet<string> {
  const all = new Set(
    inputs.flatMap(({ times, tickers }) => times === null ? [] : tickers ?? [])
      .filter((ticker) => ticker !== null),
  );
  if (all.size < 4) return new Set();
  return new Set([...all].sort().filter(() => random.uniform() < 1 / 3));
}

/** Missing values by time: nulls, and tickers that have rows before and after, but not then. */
function gapsByTime(inputs: readonly ProbedInput[]): ReadonlyMap<number, number> {
  const gaps = new Map<number, number>();
  for (const { frame, times, tickers } of inputs) {
    if (times === null) continue;
    const { values } = times;
    const add = (time: number, count: number) => gaps.set(time, (gaps.get(time) ?? 0) + count);
    for (const column of frame.getColumns()) {
      if (column.nullCount() === 0) continue;
      for (const [row, isNull] of column.isNull().toArray().entries()) {
        if (isNull) add(values[row]!, 1);
      }
    }
    if (tickers !== null) addAbsent(values, tickers, add);
  }
  return gaps;
}

function addAbsent(
  values: Float64Array,
  tickers: readonly (string | null)[],
  add: (time: number, count: number) => void,
): void {
  const spans = new Map<string | null, [number, number]>();
  const present = new Map<number, number>();
  for (const [row, time] of values.entries()) {
    present.set(time, (present.get(time) ?? 0) + 1);
    const [first, last] = spans.get(tickers[row]!) ?? [time, time];
    spans.set(tickers[row]!, [Math.min(first, time), Math.max(last, time)]);
  }
  const starts = [...spans.values()].map(([first]) => first).sort((a, b) => a - b);
  const ends = [...spans.values()].map(([, last]) => last).sort((a, b) => a - b);
  let [started, ended] = [0, 0];
  for (const [time, count] of [...present].sort(([a], [b]) => a - b)) {
    while (started < starts.length && starts[started]! <= time) started += 1;
    while (ended < ends.length && ends[ended]! < time) ended += 1;
    add(time, Math.max(0, started - ended - count));
  }
}
