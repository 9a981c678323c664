import { setImmediate } from "node:timers/promises";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import { NotFoundError } from "../../base/errors.ts";
import type { PanelEntry } from "../../frames/frame/panel_frame.ts";
import type { SendOptions } from "../transport/exchange.ts";
import {
  findSetInForce,
  findStoredScores,
  readScores,
  type ReceivedScores,
} from "./stored_scores.ts";
import { findScores, type FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import type { ConnectionContext } from "../verb/connection_context.ts";

/** Decision times of a panel, and the means to find their scores. */
export interface PanelWalk {
  /** State that the verbs share. */
  readonly context: ConnectionContext;
  /** The factors. */
  readonly factors: readonly Factor[];
  /** The decision times, ascending and distinct. */
  readonly times: readonly Instant[];
  /** Wanted checks: any check of the set in force, or the check of each time. */
  readonly every: "set" | "check";
  /** Options of sending requests. */
  readonly exchange: SendOptions;
  /** Called with each entry, and with the answer if a request brought it. */
  readonly onFound: (found: FoundScores) => void;
}

// Times of one factor with no proved set between them, the last one first.
interface Run {
  readonly factor: Factor;
  readonly times: readonly Instant[];
}

// Some milliseconds of reading.
const TIMES_PER_TURN = 16;

type Known = Map<Instant, ReceivedScores>;

// Leaves one of the account's five places to other programs.
const RUNS_AT_ONCE = LIMITS.concurrentRequests - 1;

/**
 * Finds the scores of each factor at each time, with one request for each distinct set (or check) that is not stored.
 *
 * Within a run of unknown times each request depends on the last answer: two times may share a set, and requesting both at once
 * could cost twice. Runs are separated by sets that the store proves, so they cost the same in any order and are walked in
 * parallel, as are the factors.
 *
 * @returns The entries by time, and within a time by factor
 */
export async function walkTimes(walk: PanelWalk): Promise<readonly PanelEntry[]> {
  const found = new Map<Factor, Known>();
  for (const factor of walk.factors) found.set(factor, new Map());
  // In parallel: while the disk reads one, the rows of another are parsed.
  const runs = await Promise.all(
    walk.factors.map((factor) => readKnown(walk, factor, found.get(factor)!)),
  );
  await walkAll(walk, runs.flat(), found);
  return walk.times.flatMap((at) =>
    walk.factors.map((factor) => ({ at, ...found.get(factor)!.get(at)! }))
  );
}

// After a failure no further request is sent; answers to requests in flight are stored first.
async function walkAll(walk: PanelWalk, runs: Run[], found: Map<Factor, Known>): Promise<void> {
  const failure = new AbortController();
  const stoppable = { ...walk, exchange: { ...walk.exchange, waitSignal: failure.signal } };
  const walkNext = async () => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      await walkBack(stoppable, run, found.get(run.factor)!);
    }
  };
  await Promise.all(
    Array.from({ length: RUNS_AT_ONCE }, () => walkNext().catch((error) => failure.abort(error))),
  );
  failure.signal.throwIfAborted();
}

// Reads the views that the store proves, and returns the runs of times between them.
async function readKnown(walk: PanelWalk, factor: Factor, known: Known): Promise<readonly Run[]> {
  const runs: Instant[][] = [[]];
  let current: ReceivedScores | null = null;
  for (const at of walk.times.toReversed()) {
    walk.exchange.signal?.throwIfAborted();
    if (!serves(walk, current, at)) current = await findKnown(walk, factor, at);
    if (current === null) {
      runs.at(-1)!.push(at);
      continue;
    }
    if (runs.at(-1)!.length > 0) runs.push([]);
    known.set(at, current);
    walk.onFound({ ...current, answer: null });
    // Reading stored sets never yields by itself; the stop button and the progress bar need a turn.
    if (known.size % TIMES_PER_TURN === 0) await setImmediate();
  }
  return runs.filter((times) => times.length > 0).map((times) => ({ factor, times }));
}

async function findKnown(
  { context, every }: PanelWalk,
  factor: Factor,
  at: Instant,
): Promise<ReceivedScores | null> {
  if (every === "set") {
    const inForce = await findSetInForce(context.store, factor, at);
    return inForce.kind === "found" ? await readScores(context.store, inForce.stored) : null;
  }
  const stored = await findStoredScores(context.store, factor, { kind: "at", at });
  return stored.kind === "found" ? stored.scores : null;
}

// From the last time to the first: a set also serves all times back to its publication.
async function walkBack(walk: PanelWalk, { factor, times }: Run, known: Known): Promise<void> {
  const { onFound } = walk;
  let current: FoundScores | null = null;
  for (const at of times) {
    const isServed = serves(walk, current, at);
    if (!isServed) current = await askOneOf(walk, factor, at);
    const { set, receipt, answer } = current!;
    known.set(at, { set, receipt });
    onFound({ set, receipt, answer: isServed ? null : answer });
  }
}

// The error names the missing time, and how many times are as early.
async function askOneOf(walk: PanelWalk, factor: Factor, at: Instant): Promise<FoundScores> {
  try {
    return await ask(walk, factor, at);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const early = walk.times.filter((time) => time <= at).length;
    const all = walk.times.length;
    throw new NotFoundError(
      `${error.message}; ${early} of the ${all} times of the ${factor} panel ` +
        `${early === 1 ? "is" : "are"} at or before ${at}; leave them out: the sets received so ` +
        "far are in the store",
      error,
      { cause: error },
    );
  }
}

async function ask(walk: PanelWalk, factor: Factor, at: Instant): Promise<FoundScores> {
  const { context, exchange } = walk;
  exchange.waitSignal?.throwIfAborted();
  const findStored = () => findKnown(walk, factor, at);
  return await findScores(context, toScoresQuery(factor, { at }), { ...exchange, findStored });
}

// A set serves all times since its publication; a check serves its own time only.
function serves({ every }: PanelWalk, current: ReceivedScores | null, at: Instant): boolean {
  return every === "set" && current !== null && current.set.check.calculatedAt <= at;
}
