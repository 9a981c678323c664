import type { DataFrame } from "nodejs-polars";
import type { Factor } from "../../base/contract/factor.ts";
import { WaitError } from "../../base/errors.ts";
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
import { createProgress, type Progress } from "../../frames/notebook/kernel/progress.ts";
import type { ExchangeOptions } from "../transport/exchange.ts";
import { EXCHANGE_RULES } from "../transport/exchange_rules.ts";
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
import type { FoundScores } from "./load_scores.ts";
import { toScoresQuery } from "./scores_options.ts";
import { beginVerb, type ConnectionContext, responseInfo } from "../verb/connection_context.ts";
import { walkTimes } from "./panel_walk.ts";
import { countText } from "../../base/wording/number_text.ts";

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
  const tally = new Tally(progress, wanted.length * times.length);
  const exchange = beginVerb(context, options);
  try {
    const onFound = (found: FoundScores) => tally.count(found);
    const entries = await walkTimes({ context, factors: wanted, times, every, exchange, onFound });
    const data = toPanelFrame(entries, wanted, frameOptions);
    return { data, raw: entries, response: tally.response() };
  } catch (error) {
    throw error instanceof WaitError ? tally.withSafe(error) : error;
  } finally {
    await progress.finish(tally.note());
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

  /** Adds the sets that are already stored to the error of a limit. */
  withSafe(error: WaitError): WaitError {
    const { message, status, code, requestId, retryAtMs, details, said } = error;
    const safe = `${this.#done} of ${this.#total} sets are in the store; run it again`;
    const fields = { status, code, requestId, retryAtMs, details, said };
    return new WaitError(`${message}; ${safe}`, fields, { cause: error });
  }

  note(): string {
    return `${countText(this.#requests, "request")} spent`;
  }

  response() {
    return this.#last?.answer ? responseInfo(this.#last.answer) : null;
  }
}
