import type { DataFrame } from "nodejs-polars";
import { setImmediate } from "node:timers/promises";
import type { Factor } from "../../base/contract/factor.ts";
import { NotFoundError, WaitError } from "../../base/errors.ts";
import {
  PROVENANCE,
  type ProvenanceChoice,
} from "../../frames/frame/provenance/provenance_schema.ts";
import {
  type PanelEntry,
  type PanelLayout,
  panelProvenance,
  type PanelShape,
  toPanelFrame,
} from "../../frames/frame/panel_frame.ts";
import { createProgress } from "../../frames/notebook/kernel/progress.ts";
import { EXCHANGE_RULES, type ExchangeOptions, type SendOptions } from "../transport/exchange.ts";
import {
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  ruleOf,
} from "../../base/arguments/check_options.ts";
import type { Loaded } from "../verb/load_promise.ts";
import {
  DECISION_DELAY,
  type DecisionOptions,
  SESSION_RANGE,
  type SessionRange,
  toDecisionTimes,
} from "./decision_times.ts";
import { findScores, type FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import { beginVerb, type ConnectionContext, responseInfo } from "../verb/connection_context.ts";
import { countText } from "../../base/wording/number_text.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import {
  findSetInForce,
  findStoredScores,
  readScores,
  type ReceivedScores,
} from "./stored_scores.ts";

/** Panel to load, and options of its frame. */
export interface PanelOptions<
  Layout extends "long" | "wide" = "long" | "wide",
  Every extends "set" | "check" = "set" | "check",
  Choice extends ProvenanceChoice = ProvenanceChoice,
  Range extends SessionRange | undefined = SessionRange | undefined,
> extends ExchangeOptions, DecisionOptions<Range> {
  /**
   * `"set"` loads the set in force at each time, with as few requests as possible; `"check"` loads the check of each time, with
   * its status, cutoff and check time.
   *
   * @default "set"
   */
  readonly every?: Every;
  /**
   * `"long"`: one row per time, factor and ticker; `"wide"`: one per time and ticker, with a column per factor.
   *
   * @default "long"
   */
  readonly layout?: Layout;
  /**
   * Provenance columns of a long panel; those of a check only with `every: "check"`.
   *
   * @default true
   */
  readonly provenance?: Choice;
  /**
   * Shows progress, with the requests spent.
   *
   * @default true, in a notebook or a terminal
   */
  readonly progress?: boolean;
}

/**
 * Shape of the panel for options of these types.
 *
 * @internal
 */
export interface PanelShapeOf<
  Layout extends PanelLayout,
  Every extends "set" | "check",
  Choice extends ProvenanceChoice,
  Range extends SessionRange | undefined,
> extends PanelShape {
  /** Layout. */
  readonly layout: Layout;
  /** Set or check behind a row. */
  readonly every: Every;
  /** Provenance columns. */
  readonly provenance: Choice;
  /** True if the times are closes of sessions. */
  readonly dated: Range extends SessionRange ? true : false;
}

/** Accepted options of `panel()`. */
export const PANEL_RULES: OptionRules<PanelOptions> = {
  at: ruleOf(
    "an array or a Series of instants",
    (value) => typeof value === "object" && value !== null,
  ),
  sessions: SESSION_RANGE,
  delayMs: DECISION_DELAY,
  every: oneOf("set", "check"),
  layout: oneOf("long", "wide"),
  provenance: PROVENANCE,
  progress: FLAG,
  ...EXCHANGE_RULES,
};

// Some milliseconds of reading.
const TIMES_PER_TURN = 16;

// Leaves one of the account's five places to other programs.
const RUNS_AT_ONCE = LIMITS.concurrentRequests - 1;

/** Loads scores as of many decision times with as few requests as possible. */
export async function loadPanel(
  context: ConnectionContext,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
): Promise<Loaded<DataFrame, readonly PanelEntry[]>> {
  checkOptions("call panel()", options, PANEL_RULES);
  const { every = "set", layout = "long", provenance = true } = options;
  const wanted = toFactors(factors);
  const { times, dates } = toDecisionTimes(context, options);
  const frameOptions = { layout, provenance, hasChecks: every === "check", dates };
  // An unknown column is refused before anything is spent.
  panelProvenance(frameOptions);
  const label = `Panel of ${wanted.join(" and ")}`;
  const { progress: isShown } = options;
  const progress = createProgress(label, isShown === undefined ? {} : { enabled: isShown });
  const total = wanted.length * times.length;
  let [done, requests, last] = [0, 0, null as FoundScores["answer"]];
  const note = () => `${countText(requests, "request")} spent`;
  const onFound = ({ answer }: FoundScores) => {
    done++;
    requests += answer?.attempts ?? 0;
    last = answer ?? last;
    progress.update({ done, total, note: note() });
  };
  const exchange = beginVerb(context, options);
  try {
    const entries = await walkTimes({ context, factors: wanted, times, every, exchange, onFound });
    const data = toPanelFrame(entries, wanted, frameOptions);
    return { data, raw: entries, response: last && responseInfo(last) };
  } catch (error) {
    if (!(error instanceof WaitError)) throw error;
    const safe = `${done} of ${total} sets are in the store; run it again`;
    throw new WaitError(`${error.message}; ${safe}`, error, { cause: error });
  } finally {
    await progress.finish(note());
  }
}

/** Factors of a panel, checked and without duplicates. */
export function toFactors(factors: Factor | readonly Factor[]): readonly Factor[] {
  const wanted = [...new Set([factors].flat())];
  if (wanted.length === 0) {
    throw new RangeError(
      "Cannot load a panel: expected at least one factor, got none; use ecpnd, ecqdi or both",
    );
  }
  return wanted.map((factor) => toScoresQuery(factor, {}).factor);
}

/** Decision times of a panel, and the means to find their scores. */
interface PanelWalk {
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

type Known = Map<Instant, ReceivedScores>;

/**
 * Finds the scores of each factor at each time, with one request for each distinct set (or check) that is not stored.
 *
 * Within a run of unknown times each request depends on the last answer: two times may share a set, and requesting both at once
 * could cost twice. Runs are separated by sets that the store proves, so they cost the same in any order and are walked in
 * parallel, as are the factors.
 *
 * @returns The entries by time, and within a time by factor
 */
async function walkTimes(walk: PanelWalk): Promise<readonly PanelEntry[]> {
  const found = new Map(walk.factors.map((factor) => [factor, new Map() as Known]));
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

async function findKnown({ context, every }: PanelWalk, factor: Factor, at: Instant) {
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
    if (!isServed) current = await ask(walk, factor, at);
    const { set, receipt, answer } = current!;
    known.set(at, { set, receipt });
    onFound({ set, receipt, answer: isServed ? null : answer });
  }
}

// The error names the missing time, and how many times are as early.
async function ask(walk: PanelWalk, factor: Factor, at: Instant): Promise<FoundScores> {
  const { context, exchange, times } = walk;
  exchange.waitSignal?.throwIfAborted();
  const findStored = () => findKnown(walk, factor, at);
  const options = { ...exchange, findStored };
  return await findScores(context, toScoresQuery(factor, { at }), options).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
    const early = times.filter((time) => time <= at).length;
    throw new NotFoundError(
      `${error.message}; ${early} of the ${times.length} times of the ${factor} panel ` +
        `${early === 1 ? "is" : "are"} at or before ${at}; leave them out: the sets received so ` +
        "far are in the store",
      error,
      { cause: error },
    );
  });
}

// A set serves all times since its publication; a check serves its own time only.
function serves({ every }: PanelWalk, current: ReceivedScores | null, at: Instant): boolean {
  return every === "set" && current !== null && current.set.check.calculatedAt <= at;
}
