import type { Factor } from "../contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";
import { ContractError } from "../errors.ts";
import { selectCheckAt } from "../store/select_check.ts";
import { Allowance } from "./allowance.ts";
import { checkOptions, type OptionRule } from "./check_options.ts";
import { findSetInForce } from "./find_set.ts";
import { HISTORY_RULES, type HistoryOptions, readFactor } from "./history_options.ts";
import { toInstant } from "./instant_input.ts";
import { LoadPlan } from "./load_plan.ts";
import { PANEL_RULES, type PanelOptions, toFactors, toTimes } from "./load_panel.ts";
import { PUBLICATIONS_RULES, type PublicationsOptions } from "./load_publications.ts";
import { SCORES_RULES, type ScoresOptions, toScoresQuery } from "./scores_options.ts";
import type { Session } from "./session.ts";
import { findStoredScores } from "./stored_scores.ts";

/** The load that a plan is about: the same arguments as those of the verb. */
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

type Costs = Pick<
  LoadPlan,
  "description" | "requestsAtLeast" | "requestsAtMost" | "downloadsAtMost" | "fromStore"
>;

type Rules = Readonly<Record<string, OptionRule>>;

const RULES: Readonly<Record<PlannedLoad["verb"], Rules>> = {
  scores: SCORES_RULES,
  panel: PANEL_RULES,
  publications: PUBLICATIONS_RULES,
  history: HISTORY_RULES,
};
const ACTION = "plan a load";
const CHECK_INTERVAL_MS = 3_600_000;

/** Finds out what a load will cost, from the store alone: nothing is sent. */
export async function planLoad(session: Session, load: PlannedLoad): Promise<LoadPlan> {
  const { verb } = Object(load) as { readonly verb?: unknown };
  if (!isVerb(verb)) {
    const verbs = Object.keys(RULES).join(", ");
    throw new ContractError(
      `Cannot plan a load: verb must be one of ${verbs}, got ${describe(verb)}`,
    );
  }
  const { options = {} } = load;
  checkOptions(`${verb}()`, options, RULES[verb]);
  const costs = await costsOf(session, { ...load, options } as PlannedLoad);
  const allowance = new Allowance(session.ledger.read(), session.clock.now());
  const reserve = options.reserve ?? session.reserve;
  return new LoadPlan({ ...costs, reserve, allowance });
}

function isVerb(verb: unknown): verb is PlannedLoad["verb"] {
  return typeof verb === "string" && Object.hasOwn(RULES, verb);
}

async function costsOf(session: Session, load: PlannedLoad): Promise<Costs> {
  switch (load.verb) {
    case "scores":
      return await scoresCosts(session, load.factor, load.options ?? {});
    case "panel":
      return await panelCosts(session, toFactors(load.factors), load.options);
    case "publications":
      return publicationsCosts(session, readFactor(load.factor, ACTION), load.options);
    case "history":
      return await historyCosts(session, readFactor(load.factor, ACTION), load.options ?? {});
  }
}

async function scoresCosts(
  session: Session,
  factor: Factor,
  options: ScoresOptions,
): Promise<Costs> {
  const query = toScoresQuery(factor, options);
  const stored = await findStoredScores(session.store, factor, query.view);
  const isKnown = stored.kind !== "unknown";
  return {
    description: `scores of ${factor}`,
    requestsAtLeast: isKnown ? 0 : 1,
    requestsAtMost: isKnown ? 0 : query.format === "csv" ? 2 : 1,
    downloadsAtMost: 0,
    fromStore: isKnown ? "The store has the view" : "The store does not have the view",
  };
}

async function panelCosts(
  session: Session,
  factors: readonly Factor[],
  options: PanelOptions,
): Promise<Costs> {
  const times = toTimes(options.at);
  let unknown = 0;
  let atLeast = 0;
  for (const factor of factors) {
    const missing = await countUnknown(session, factor, { times, every: options.every ?? "set" });
    unknown += missing;
    atLeast += Math.min(1, missing);
  }
  const all = factors.length * times.length;
  return {
    description: `a panel of ${factors.join(" and ")} at ${times.length} instants`,
    requestsAtLeast: atLeast,
    requestsAtMost: unknown,
    downloadsAtMost: 0,
    fromStore: `The store proves ${all - unknown} of ${all}; a set serves all times since its ` +
      "publication, so that fewer requests may do",
  };
}

async function countUnknown(
  session: Session,
  factor: Factor,
  wanted: { readonly times: readonly Instant[]; readonly every: "set" | "check" },
): Promise<number> {
  let unknown = 0;
  for (const at of wanted.times) {
    const isKnown = wanted.every === "set"
      ? (await findSetInForce(session.store, factor, at)).kind !== "unknown"
      : (await selectCheckAt(session.store, factor, at)).known;
    if (!isKnown) unknown++;
  }
  return unknown;
}

// At most one publication an hour, and the check before the interval that ends the walk.
function publicationsCosts(
  session: Session,
  factor: Factor,
  options: PublicationsOptions,
): Costs {
  const from = toInstant(options.from, "from");
  const to = options.to === undefined
    ? instantOf(session.clock.now())
    : toInstant(options.to, "to");
  const hours = Math.max(0, Math.ceil((epochMsOf(to) - epochMsOf(from)) / CHECK_INTERVAL_MS));
  return {
    description: `the publications of ${factor} from ${from} to ${to}`,
    requestsAtLeast: options.to === undefined ? 1 : 0,
    requestsAtMost: hours + 2,
    downloadsAtMost: 0,
    fromStore: "One request for each set that the store does not prove, and one for the end",
  };
}

async function historyCosts(
  session: Session,
  factor: Factor,
  options: HistoryOptions,
): Promise<Costs> {
  const releases = await session.store.listReleases(factor);
  const { offline = false, maxDownloads = 2 } = options;
  const wanted = options.downloadSha256?.toLowerCase();
  const isKept = releases.some(({ release }) => release.downloadSha256 === wanted);
  const isFree = offline || isKept;
  return {
    description: `the history of ${factor}`,
    requestsAtLeast: isFree ? 0 : 1,
    // Metadata, and for each download its HEAD, the file and the metadata that it is compared with.
    requestsAtMost: isFree ? 0 : 1 + 3 * maxDownloads,
    downloadsAtMost: isFree ? 0 : maxDownloads,
    fromStore: releases.length === 0
      ? "The store has no release of the factor"
      : `The store has ${releases.length}, which cost no download if the service still offers them`,
  };
}
