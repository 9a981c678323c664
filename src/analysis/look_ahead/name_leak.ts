import type { ChangedRow, OutputDifference } from "./compare_up_to.ts";
import type { Cut, FutureChange, ProbedInput, SignalOutput } from "./signal_output.ts";

const LEAST_ROWS = 5;

const FAR = 0.4;

/** Kind that a leak looks like. */
export type LeakKind =
  | "sessions_ahead"
  | "whole_sample"
  | "back_fill"
  | "survivors"
  | "future_calendar"
  | "restated"
  | "unknown";

/** A kind of leak, with the sessions that it reaches ahead. */
export interface Leak {
  readonly kind: LeakKind;
  /** Sessions ahead of those that are read; `null` if there is no fixed number. */
  readonly sessions: number | null;
}

/** A run with a change after its cut, and its output. */
export interface ComparedRun {
  readonly cut: Cut;
  /** `null` if the signal gave nothing that can be compared. */
  readonly difference: OutputDifference | null;
  /** Message of what the signal threw; `null` if it threw nothing. */
  readonly error: string | null;
}

/** Outputs and inputs of a signal that changed. */
export interface Evidence {
  readonly whole: SignalOutput;
  readonly runs: readonly ComparedRun[];
  readonly inputs: readonly ProbedInput[];
  /** The distinct times of the output, ascending. */
  readonly sessions: readonly number[];
}

/** The kind of leak that explains what changed; `null` if nothing did. */
export function nameLeak(evidence: Evidence): Leak | null {
  const { runs, inputs, whole } = evidence;
  if (runs.every((run) => changedOf(run).length === 0)) return null;
  const named = (kind: Leak["kind"]): Leak => ({ kind, sessions: null });
  if (runs.some((run) => losesTickers(run, evidence))) return named("survivors");
  const dependsOnValues = hasChanged(runs, "shuffled") || hasChanged(runs, "perturbed");
  if (!dependsOnValues && hasChanged(runs, "restated")) return named("restated");
  if (looksFilled(runs, inputs, whole)) return named("back_fill");
  if (!dependsOnValues) return named("future_calendar");
  return byReach(evidence);
}

/** Rows that changed and are not of tickers that were ended on purpose. */
function changedOf({ cut, difference }: ComparedRun): readonly ChangedRow[] {
  return (difference?.changed ?? []).filter(({ side, ticker }) =>
    side === "both" || ticker === null || !cut.ended.has(ticker)
  );
}

function hasChanged(runs: readonly ComparedRun[], change: FutureChange): boolean {
  return runs.some((run) =>
    run.cut.change === change &&
    // A number of days to a ticker's last row depends on its rows, not on its values.
    changedOf(run).some(({ ticker }) => ticker === null || !run.cut.ended.has(ticker))
  );
}

/** True if tickers that were there up to the cut have all of their rows in one output, and none in the other. */
function losesTickers({ cut, difference }: ComparedRun, { whole, inputs }: Evidence): boolean {
  if (difference === null) return false;
  const counts = new Map<string, number>();
  for (const { side, ticker } of difference.changed) {
    if (side === "both" || ticker === null) continue;
    counts.set(ticker, (counts.get(ticker) ?? 0) + 1);
  }
  if (counts.size === 0) return false;
  const present = observedCounts(inputs, cut.time);
  const kept = new Set<string | null>();
  const changed = new Set(difference.changed.map(({ time, ticker }) => `${time} ${ticker}`));
  for (const [row, time] of whole.times.values.entries()) {
    const ticker = whole.tickers?.[row] ?? null;
    if (time <= cut.time && !changed.has(`${time} ${ticker}`)) kept.add(ticker);
  }
  for (const { side, ticker } of difference.changed) if (side === "both") kept.add(ticker);
  return [...counts].some(([ticker, count]) =>
    !kept.has(ticker) && count >= LEAST_ROWS && count >= 0.25 * (present.get(ticker) ?? Infinity)
  );
}

/** Rows of each ticker up to a time, in the input that has most of them. */
function observedCounts(
  inputs: readonly ProbedInput[],
  until: number,
): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const { times, tickers } of inputs) {
    if (times === null || tickers === null) continue;
    const counts = new Map<string, number>();
    for (const [row, time] of times.values.entries()) {
      const ticker = tickers[row];
      if (time > until || ticker === null || ticker === undefined) continue;
      counts.set(ticker, (counts.get(ticker) ?? 0) + 1);
    }
    for (const [ticker, count] of counts) {
      most.set(ticker, Math.max(count, most.get(ticker) ?? 0));
    }
  }
  return most;
}

/** By how far back from the cut rows changed: a fixed number of sessions, or the whole sample. */
function byReach({ runs, sessions }: Evidence): Leak {
  const reaches = runs.flatMap((run) => {
    const changed = changedOf(run);
    if (changed.length === 0 || run.cut.change === "restated") return [];
    const before = sessions.filter((time) => time <= run.cut.time);
    const first = Math.min(...changed.slice(0, 1).map(({ time }) => time));
    return [{ reach: before.filter((time) => time >= first).length, all: before.length }];
  });
  if (reaches.length === 0) return { kind: "unknown", sessions: null };
  if (reaches.every(({ reach, all }) => reach <= FAR * all)) {
    return { kind: "sessions_ahead", sessions: Math.max(...reaches.map(({ reach }) => reach)) };
  }
  return { kind: "whole_sample", sessions: null };
}

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
function looksFilled(
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
