import { nearestName } from "../../base/arguments/nearest_name.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import { CHECK_INTERVAL_MS } from "../../base/contract/limits.ts";
import { describe } from "../../base/contract/violation.ts";
import { selectCheckAt } from "../../base/store/checks/select_check.ts";
import type { Store } from "../../base/store/store.ts";
import { Allowance } from "./allowance.ts";
import { checkOptions, type OptionRule } from "../../base/arguments/check_options.ts";
import { toDecisionTimes } from "../scores/decision_times.ts";
import { findSetInForce, findStoredScores } from "../scores/stored_scores.ts";
import { HISTORY_RULES, type HistoryOptions, readFactor } from "../release/history_options.ts";
import { type LoadCosts, LoadPlan } from "./load_plan.ts";
import { PANEL_RULES, type PanelOptions, toFactors } from "../scores/load_panel.ts";
import {
  PUBLICATIONS_RULES,
  type PublicationsOptions,
  readInterval,
} from "../scores/load_publications.ts";
import { SCORES_RULES, type ScoresOptions, toScoresQuery } from "../scores/scores_options.ts";
import { type ConnectionContext, serviceNowMs } from "../verb/connection_context.ts";

/** Load to plan, with the arguments of its verb. */
export type PlannedLoad =
  | { readonly verb: "scores"; readonly factor: Factor; readonly options?: ScoresOptions }
  | {
    readonly verb: "panel";
    readonly factors: Factor | readonly Factor[];
    readonly options: PanelOptions;
  }
  | {
    readonly verb: "publications";
    readonly factor: Factor;
    readonly options: PublicationsOptions;
  }
  | { readonly verb: "history"; readonly factor: Factor; readonly options?: HistoryOptions };

type Rules = Readonly<Record<string, OptionRule>>;

const RULES: Readonly<Record<PlannedLoad["verb"], Rules>> = {
  scores: SCORES_RULES,
  panel: PANEL_RULES,
  publications: PUBLICATIONS_RULES,
  history: HISTORY_RULES,
};
const ACTION = "plan a load";
const RANGE_OF = {
  set:
    "The number of distinct sets is known only after loading; one set serves all times until the next publication",
  check:
    "The number of distinct checks is known only after loading; one check serves all times until the next one",
} as const;
const HISTORY_RANGE =
  "One request if the store has the offered release; else three (metadata, HEAD and file), the last of which is " +
  "a download; more only if the release is replaced meanwhile";

/** Estimates the cost of a load from the store alone, without sending a request. */
export async function planLoad(context: ConnectionContext, load: PlannedLoad): Promise<LoadPlan> {
  const verb = readVerb(load);
  const { options = {} } = load;
  checkOptions(`call ${verb}()`, options, RULES[verb]);
  const costs = await COSTS[verb](context, { ...load, options } as never);
  const account = context.ledger.read();
  const allowance = new Allowance(account, context.clock.now());
  const { isClockStopped = false } = account;
  const reserve = options.reserve ?? context.reserve;
  return new LoadPlan({ ...costs, reserve, allowance, isClockStopped });
}

// A notebook has no compiler to report a misplaced argument.
function readVerb(load: unknown): PlannedLoad["verb"] {
  if (typeof load !== "object" || load === null) {
    throw new TypeError(
      'Cannot plan a load: expected an object such as { verb: "scores", factor: "ecpnd" }, ' +
        `got ${describe(load)}`,
    );
  }
  const given = (load as { readonly verb?: unknown }).verb;
  const verbs = Object.keys(RULES) as PlannedLoad["verb"][];
  const verb = verbs.find((name) => name === given);
  if (verb === undefined) {
    throw new TypeError(
      `Cannot plan a load: expected verb to be one of ${verbs.join(", ")}, got ${describe(given)}`,
    );
  }
  const known = ["verb", verb === "panel" ? "factors" : "factor", "options"];
  const unknown = Object.keys(load).find((name) => !known.includes(name));
  if (unknown === undefined) return verb;
  const nearest = nearestName(unknown, known);
  const hint = Object.hasOwn(RULES[verb], unknown)
    ? "; it belongs in options"
    : nearest === null
    ? ""
    : `; did you mean ${nearest}?`;
  throw new TypeError(
    `Cannot plan a load: expected the fields ${known.join(", ")} for ${verb}, got ` +
      `${describe(unknown)}${hint}`,
  );
}

const COSTS: {
  readonly [Verb in PlannedLoad["verb"]]: (
    context: ConnectionContext,
    load: Required<Extract<PlannedLoad, { readonly verb: Verb }>>,
  ) => LoadCosts | Promise<LoadCosts>;
} = {
  scores: (context, { factor, options }) => scoresCosts(context, factor, options),
  panel: (context, { factors, options }) => panelCosts(context, toFactors(factors), options),
  publications: (context, { factor, options }) =>
    publicationsCosts(context, readFactor(factor, ACTION), options),
  history: (context, { factor, options }) =>
    historyCosts(context, readFactor(factor, ACTION), options),
};

async function scoresCosts(context: ConnectionContext, factor: Factor, options: ScoresOptions) {
  const query = toScoresQuery(factor, options);
  const stored = await findStoredScores(context.store, factor, query.view);
  const isKnown = stored.kind !== "unknown";
  return {
    description: `scores of ${factor}`,
    requestsAtLeast: isKnown ? 0 : 1,
    requestsAtMost: isKnown ? 0 : query.format === "csv" ? 2 : 1,
    downloadsAtMost: 0,
    fromStore: isKnown ? "The store has the view" : "The store does not have the view",
    rangeReason: !isKnown && query.format === "csv"
      ? "A CSV answer has no version and no universe; if the store lacks its check, a second request loads it"
      : null,
  };
}

async function panelCosts(
  context: ConnectionContext,
  factors: readonly Factor[],
  options: PanelOptions,
): Promise<LoadCosts> {
  const { times } = toDecisionTimes(context, options);
  const { every = "set" } = options;
  let [unknown, atLeast] = [0, 0];
  for (const factor of factors) {
    const missing = await countUnknown(context.store, factor, times, every);
    unknown += missing;
    atLeast += Math.min(1, missing);
  }
  const all = factors.length * times.length;
  return {
    description: `a panel of ${factors.join(" and ")} at ${times.length} instants`,
    requestsAtLeast: atLeast,
    requestsAtMost: unknown,
    downloadsAtMost: 0,
    fromStore: `The store covers ${all - unknown} of ${all} views`,
    rangeReason: unknown === atLeast ? null : RANGE_OF[every],
  };
}

async function countUnknown(
  store: Store,
  factor: Factor,
  times: readonly Instant[],
  every: "set" | "check",
): Promise<number> {
  const sets = new Set(await store.listSets(factor));
  let unknown = 0;
  for (const at of times) {
    const found = every === "set"
      ? await findSetInForce(store, factor, at)
      : await selectCheckAt(store, factor, at);
    const isKnown = "kind" in found ? found.kind !== "unknown" : found.known;
    const stored = "stored" in found ? found.stored : null;
    // A check without its set has to be requested again.
    if (!isKnown || (stored !== null && !sets.has(stored.check.snapshotId))) unknown++;
  }
  return unknown;
}

// At most one publication an hour, and the check before the interval, which ends the search.
function publicationsCosts(
  context: ConnectionContext,
  factor: Factor,
  options: PublicationsOptions,
): LoadCosts {
  const { from, to: end } = readInterval(context, options);
  const to = end ?? instantOf(serviceNowMs(context));
  const hours = Math.max(0, Math.ceil((epochMsOf(to) - epochMsOf(from)) / CHECK_INTERVAL_MS));
  return {
    description: `the publications of ${factor} from ${from} to ${to}`,
    requestsAtLeast: options.to === undefined ? 1 : 0,
    requestsAtMost: hours + 2,
    downloadsAtMost: 0,
    fromStore: "Views that the store proves cost no request",
    rangeReason:
      "One request for each set that the store does not prove (at most one an hour), and at " +
      "most two that prove that there is no earlier one",
  };
}

async function historyCosts(context: ConnectionContext, factor: Factor, options: HistoryOptions) {
  const releases = await context.store.listReleases(factor);
  const { offline = false, maxDownloads = 2 } = options;
  const wanted = options.downloadSha256?.toLowerCase();
  const isKept = releases.some(({ release }) => release.downloadSha256 === wanted);
  const isFree = offline || context.isOffline || isKept;
  // Metadata; HEAD and file as well unless the store has the release.
  const requestsAtLeast = releases.length > 0 || maxDownloads === 0 ? 1 : 3;
  return {
    description: `the history of ${factor}`,
    requestsAtLeast: isFree ? 0 : requestsAtLeast,
    // Metadata, and for each download its HEAD, the file and fresh metadata to compare with.
    requestsAtMost: isFree ? 0 : 1 + 3 * maxDownloads,
    downloadsAtMost: isFree ? 0 : maxDownloads,
    fromStore: releases.length === 0
      ? "The store has no release of the factor"
      : `The store has ${
        releases.length === 1 ? "a release, which costs" : `${releases.length} releases, which cost`
      } no download if still offered by the service`,
    rangeReason: isFree || maxDownloads === 0 ? null : HISTORY_RANGE,
  };
}
