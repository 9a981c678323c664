import type { DataFrame } from "nodejs-polars";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";
import { ContractError } from "../errors.ts";
import type { ProvenanceChoice } from "../frame/column.ts";
import { type PanelEntry, panelProvenance, toPanelFrame } from "../frame/panel_frame.ts";
import { createProgress, type Progress } from "../notebook/progress.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import {
  checkOptions,
  EXCHANGE_RULES,
  FLAG,
  oneOf,
  type OptionRules,
  PROVENANCE,
  READ_BY_VERB,
} from "./check_options.ts";
import { findSetInForce } from "./find_set.ts";
import { type InstantInput, toInstant } from "./instant_input.ts";
import type { Loaded } from "./load_promise.ts";
import { findScores, type FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import { beginVerb, responseInfo, type Session } from "./session.ts";
import { readScores } from "./stored_scores.ts";

/** Which panel is loaded, and how. */
export interface PanelOptions extends ExchangeOptions {
  /** The decision times, in any order; repeated ones count once. */
  readonly at: readonly InstantInput[];
  /**
   * `"set"` asks for the set in force at each time, as rarely as possible; `"check"` asks for the check of each time,
   * with its status, cutoff and check time.
   *
   * @default "set"
   */
  readonly every?: "set" | "check";
  /**
   * One row per time, factor and ticker; or one per time and ticker, with a column per factor.
   *
   * @default "long"
   */
  readonly layout?: "long" | "wide";
  /**
   * Which provenance columns a long panel carries; those of a check only with `every: "check"`.
   *
   * @default true
   */
  readonly provenance?: ProvenanceChoice;
  /**
   * Whether progress is shown, with what it spends.
   *
   * @default true, in a notebook or a terminal
   */
  readonly progress?: boolean;
}

/** What the options of `panel()` may be. */
export const PANEL_RULES: OptionRules<PanelOptions> = {
  ...EXCHANGE_RULES,
  at: READ_BY_VERB,
  every: oneOf("set", "check"),
  layout: oneOf("long", "wide"),
  provenance: PROVENANCE,
  progress: FLAG,
};

interface Walk {
  readonly session: Session;
  readonly factor: Factor;
  readonly times: readonly Instant[];
  readonly every: "set" | "check";
  readonly exchange: ExchangeOptions;
  readonly onFound: (found: FoundScores) => void;
}

/** Loads scores as of many decision times with as few requests as possible. */
export async function loadPanel(
  session: Session,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
): Promise<Loaded<DataFrame, readonly PanelEntry[]>> {
  checkOptions("panel()", options, PANEL_RULES);
  const { every = "set", layout = "long", provenance = true } = options;
  const wanted = toFactors(factors);
  const times = toTimes(options.at);
  const frameOptions = { layout, provenance, hasChecks: every === "check" };
  panelProvenance(frameOptions);
  const label = `Panel of ${wanted.join(" and ")}`;
  const { progress: isShown } = options;
  const progress = createProgress(label, isShown === undefined ? {} : { enabled: isShown });
  const tally = new Tally(progress, wanted.length * times.length);
  const others = new AbortController();
  const exchange = beginVerb(session, options);
  const signal = AbortSignal.any([exchange.signal!, others.signal]);
  try {
    const columns = await Promise.all(wanted.map((factor) =>
      walkBack({
        session,
        factor,
        times,
        every,
        exchange: { ...exchange, signal },
        onFound: (found) => tally.count(found),
      })
    ));
    const entries = times.flatMap((_, i) => columns.map((column) => column[i]!));
    const data = toPanelFrame(entries, wanted, frameOptions);
    return { data, raw: entries, response: tally.response() };
  } catch (error) {
    // One factor failed: what arrived is in the store, and the other walk must not go on spending.
    others.abort(error);
    throw error;
  } finally {
    await progress.finish(tally.note());
  }
}

/** The decision times, ascending and distinct. */
export function toTimes(at: readonly InstantInput[]): readonly Instant[] {
  if (!Array.isArray(at) || at.length === 0) {
    throw new ContractError(
      `Cannot load a panel: at must be an array of at least one instant, got ${
        describe(at)
      }; of a ` +
        "Series take toArray()",
    );
  }
  return [...new Set(at.map((instant) => toInstant(instant)))].sort();
}

/** The factors of a panel, distinct and checked. */
export function toFactors(factors: Factor | readonly Factor[]): readonly Factor[] {
  const wanted = [...new Set([factors].flat())];
  if (wanted.length === 0) {
    throw new ContractError("Cannot load a panel: at least one factor is required, none is given");
  }
  return wanted.map((factor) => toScoresQuery(factor, {}).factor);
}

// From the last time to the first: what is given for a time also proves the times back to its publication.
async function walkBack(walk: Walk): Promise<readonly PanelEntry[]> {
  const { times, every, onFound } = walk;
  const entries: PanelEntry[] = [];
  let current: FoundScores | null = null;
  for (const at of times.toReversed()) {
    const isServed = every === "set" && current !== null &&
      current.set.check.calculatedAt <= at;
    if (!isServed) current = await findFor(walk, at);
    entries.push({ at, set: current!.set, receipt: current!.receipt });
    onFound(isServed ? { ...current!, answer: null } : current!);
  }
  return entries.reverse();
}

async function findFor(walk: Walk, at: Instant): Promise<FoundScores> {
  const { session, factor, every, exchange } = walk;
  exchange.signal?.throwIfAborted();
  if (every === "set") {
    const known = await findSetInForce(session.store, factor, at);
    const scores = known.kind === "found" ? await readScores(session.store, known.stored) : null;
    if (scores !== null) return { ...scores, answer: null };
  }
  return await findScores(session, toScoresQuery(factor, { at }), exchange);
}

class Tally {
  readonly #progress: Progress;
  readonly #total: number;
  #done = 0;
  #requests = 0;
  #last: FoundScores | null = null;

  constructor(progress: Progress, total: number) {
    this.#progress = progress;
    this.#total = total;
  }

  count(found: FoundScores): void {
    this.#done++;
    if (found.answer !== null) {
      this.#requests += found.answer.attempts;
      this.#last = found;
    }
    this.#progress.update({ done: this.#done, total: this.#total, note: this.note() });
  }

  note(): string {
    return `${this.#requests} ${this.#requests === 1 ? "request" : "requests"} spent`;
  }

  response() {
    return this.#last?.answer ? responseInfo(this.#last.answer) : null;
  }
}
