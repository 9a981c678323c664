import type { DataFrame } from "nodejs-polars";
import { toDecisionTimes } from "../../client/scores/decision_times.ts";
import { type PanelOptions, toFactors } from "../../client/scores/load_panel.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../contract/factor.ts";
import { epochMsOf, type Instant } from "../../contract/instant.ts";
import type { ScoreSet } from "../../contract/scores/score_set.ts";
import type { PanelEntry } from "../../frame/panel_frame.ts";
import { openMemoryLedger } from "../../transport/allowance/ledger.ts";
import { sleep } from "../../transport/clock.ts";
import { viewKey } from "../lock/add_facts.ts";
import type { StudyLock } from "../lock/lock.ts";
import type { MissingEntry } from "../replay/frozen_error.ts";
import { assertNotAhead, routeOf, settleViews, type StudyContext } from "./study_context.ts";
import { missingView } from "./study_scores.ts";

/** Loads scores as of many decision times, none of them after the study's. */
export async function loadStudyPanel(
  context: StudyContext,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
): Promise<Loaded<DataFrame, readonly PanelEntry[]>> {
  const { asOf } = await context.place.pinned();
  const { wanted, every, findMissing } = askPanel(asOf, factors, options);
  const route = await routeOf(context, findMissing);
  const loaded = await route.api.panel(wanted, options).withResponse();
  // A frame needs less of an entry than the client gives: each is a whole score set with its check.
  const views = loaded.raw.map(({ at, set }) => ({ at, set: set as ScoreSet }));
  await settleViews(context, route, { views, every });
  return loaded;
}

/** What a panel asks for: its factors, and what a lock lacks of it. */
export interface AskedPanel {
  /** The factors. */
  readonly wanted: readonly Factor[];
  /** What its rows are. */
  readonly every: "set" | "check";
  /** The first view that a lock lacks; `null` if it has all. */
  readonly findMissing: (lock: StudyLock) => MissingEntry | null;
}

/**
 * Reads what a panel asks for.
 *
 * @throws {ScoreframeError} If one of its times is after the study's
 */
export function askPanel(
  asOf: Instant,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
): AskedPanel {
  const wanted = toFactors(factors);
  const { times } = toDecisionTimes(standingAt(asOf), options);
  const { every = "set" } = options;
  const action = `load a panel of ${wanted.join(" and ")}`;
  assertNotAhead(action, times.at(-1)!, asOf);
  const findMissing = (lock: StudyLock): MissingEntry | null => {
    const known = new Set(
      lock.views.filter(({ check }) => every === "set" || check !== null).map(viewKey),
    );
    for (const factor of wanted) {
      const at = times.find((time) => !known.has(viewKey({ factor, at: time })));
      if (at !== undefined) return missingView(lock, { factor, at, action }, every);
    }
    return null;
  };
  return { wanted, every, findMissing };
}

// A session that closes after the study's time has not closed yet.
function standingAt(asOf: Instant) {
  const clock = { now: () => epochMsOf(asOf), sleep, random: () => 0 };
  return { clock, ledger: openMemoryLedger() };
}
