import type { ChangedRow } from "./compare_up_to.ts";
import type { FutureChange } from "./change_future.ts";
import type { ComparedRun, Leak } from "./leak.ts";
import { looksFilled } from "./looks_filled.ts";
import type { ProbedInput } from "./probed_input.ts";
import type { SignalOutput } from "./signal_output.ts";

/** Outputs and inputs of a signal that changed. */
export interface Evidence {
  readonly whole: SignalOutput;
  readonly runs: readonly ComparedRun[];
  readonly inputs: readonly ProbedInput[];
  /** The distinct times of the output, ascending. */
  readonly sessions: readonly number[];
}

const LEAST_ROWS = 5;
const FAR = 0.4;

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
  return runs.some((run) => {
    if (run.cut.change !== change) return false;
    // A number of days to a ticker's last row depends on its rows, not on its values.
    return changedOf(run).some(({ ticker }) => ticker === null || !run.cut.ended.has(ticker));
  });
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
