import type { ComparedRun } from "./leak.ts";
import type { ProbedInput } from "./probed_input.ts";
import type { SignalOutput } from "./signal_output.ts";

/** A column that may have been filled, as the rows in which it has a value. */
interface Observed {
  readonly times: Float64Array;
  readonly tickers: readonly (string | null)[] | null;
  readonly isSeen: (row: number) => boolean;
}

interface Gap {
  /** Rows of the output that have no value yet, by key; the value that comes is behind the cut. */
  readonly rows: ReadonlySet<string>;
  readonly sessions: ReadonlySet<number>;
  /** Sessions without a value, by ticker. */
  readonly spans: ReadonlySet<number>;
}

/** True if the changed rows are those that a later value of an input fills. */
export function looksFilled(
  runs: readonly ComparedRun[],
  inputs: readonly ProbedInput[],
  whole: SignalOutput,
): boolean {
  const removed = runs.filter(({ cut, difference }) =>
    cut.change === "removed" && difference !== null
  );
  return inputs.flatMap(observedOf).some((observed) => {
    const gaps = removed.map(({ cut }) => gapAt(observed, cut.time, whole));
    return fillsRows(removed, gaps) || fillsSessions(removed, gaps);
  });
}

function observedOf({ frame, times, tickers }: ProbedInput): readonly Observed[] {
  if (times === null) return [];
  const every = { times: times.values, tickers, isSeen: () => true };
  const columns = frame.getColumns().filter((column) => column.nullCount() > 0);
  return [
    every,
    ...columns.map((column) => {
      const seen = column.isNotNull().toArray();
      return { times: times.values, tickers, isSeen: (row: number) => Boolean(seen[row]) };
    }),
  ];
}

function gapAt({ times, tickers, isSeen }: Observed, cut: number, whole: SignalOutput): Gap {
  const last = new Map<string, number>();
  const later = new Set<string>();
  for (const [row, time] of times.entries()) {
    if (!isSeen(row)) continue;
    const ticker = tickers?.[row] ?? "";
    if (time > cut) later.add(ticker);
    else last.set(ticker, Math.max(time, last.get(ticker) ?? -Infinity));
  }
  const rows = new Set<string>();
  const sessions = new Set<number>();
  const spans = new Map<string, number>();
  for (const [row, time] of whole.times.values.entries()) {
    const ticker = whole.tickers?.[row] ?? "";
    const name = tickers === null ? "" : ticker;
    if (time > cut || time <= (last.get(name) ?? -Infinity) || !later.has(name)) continue;
    rows.add(`${time} ${ticker}`);
    sessions.add(time);
    spans.set(ticker, (spans.get(ticker) ?? 0) + 1);
  }
  return { rows, sessions, spans: new Set(spans.values()) };
}

/** True if nearly all rows that changed had no value yet, and most of such rows changed, whatever the length of their gap. */
function fillsRows(runs: readonly ComparedRun[], gaps: readonly Gap[]): boolean {
  let [changed, inGaps, open, sessionsOpen] = [0, 0, 0, 0];
  for (const [i, { difference }] of runs.entries()) {
    const { rows, sessions } = gaps[i]!;
    changed += difference!.changed.length;
    inGaps += difference!.changed.filter(({ time, ticker }) => rows.has(`${time} ${ticker ?? ""}`))
      .length;
    if (difference!.changed.length > 0) open += rows.size;
    sessionsOpen += sessions.size;
  }
  if (changed === 0 || inGaps < 0.95 * changed || inGaps < 0.5 * open) return false;
  return sessionsOpen > 0 && (varies(gaps) || isPartial(runs));
}

/** True if exactly the sessions changed in which a value was missing. */
function fillsSessions(runs: readonly ComparedRun[], gaps: readonly Gap[]): boolean {
  if (!varies(gaps)) return false;
  return runs.every(({ difference }, i) => {
    const changed = new Set(difference!.changed.map(({ time }) => time));
    return changed.size === gaps[i]!.sessions.size && changed.isSubsetOf(gaps[i]!.sessions);
  });
}

function varies(gaps: readonly Gap[]): boolean {
  const spans = new Set(gaps.flatMap((gap) => gap.spans.size === 0 ? [0] : [...gap.spans]));
  return spans.size > 1;
}

/** True if most rows at the cut itself are unchanged; a signal that reads a session ahead changes all of them. */
function isPartial(runs: readonly ComparedRun[]): boolean {
  return runs.every(({ cut, difference }) => {
    const tickers = new Set(difference!.changed.map(({ ticker }) => ticker));
    return difference!.changed.filter(({ time }) => time === cut.time).length <= tickers.size &&
      tickers.size < 0.5 * difference!.rows;
  });
}
