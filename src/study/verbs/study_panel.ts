import type { DataFrame } from "nodejs-polars";
import type { FactorApi } from "../../client/factor_api.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { toDecisionTimes } from "../../client/scores/decision_times.ts";
import { PANEL_RULES, type PanelOptions, toFactors } from "../../client/scores/load_panel.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf } from "../../base/contract/instant.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import type { PanelEntry } from "../../frames/frame/panel_frame.ts";
import { openMemoryLedger } from "../../client/transport/allowance/ledger.ts";
import { delay } from "../../client/transport/clock.ts";
import { factKey, type StudyLock } from "../lock/lock.ts";
import type { MissingEntry } from "../replay/refusals.ts";
import { assertNotAhead, type TimeLimit } from "../hold_out/time_limit.ts";
import { limitOf, loadStudy, receivedAt, settleViews, type StudyContext } from "./study_context.ts";
import { missingView } from "./study_scores.ts";

/** Loads scores as of many decision times, none of them after the study's. */
export async function loadStudyPanel(
  context: StudyContext,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
): Promise<Loaded<DataFrame, readonly PanelEntry[]>> {
  const { wanted, every, findMissing } = askPanel(await limitOf(context), factors, options);
  return await loadStudy(context, {
    findMissing,
    load: (api: FactorApi) =>
      api.panel(wanted, options).withResponse() as Promise<
        Loaded<DataFrame, readonly PanelEntry[]>
      >,
    settle: async ({ raw }, route, store) => {
      // A frame needs fewer fields than the client's entries, which are whole score sets with their checks.
      const views = await Promise.all(raw.map(async ({ at, set, receipt }) => {
        // A set that is received again keeps its first time of receipt.
        const retrievedAt = route.isReplay
          ? receipt.retrievedAt
          : await receivedAt(store, set.check as Check);
        return { at, set: set as ScoreSet, retrievedAt };
      }));
      await settleViews(context, route, { views, every });
    },
  });
}

/**
 * Reads the request for a panel.
 *
 * @throws {ScoreframeError} If one of its times is after the study's, or held out
 */
export function askPanel(
  limit: TimeLimit,
  factors: Factor | readonly Factor[],
  options: PanelOptions,
) {
  const wanted = toFactors(factors);
  checkOptions("call panel()", options, PANEL_RULES);
  // A session that closes after the study's time has not closed yet.
  const clock = { now: () => epochMsOf(limit.asOf), sleep: delay, random: () => 0 };
  const { times } = toDecisionTimes({ clock, ledger: openMemoryLedger() }, options);
  const { every = "set" } = options;
  const action = `load a panel of ${wanted.join(" and ")}`;
  assertNotAhead(action, times.at(-1)!, limit);
  const findMissing = (lock: StudyLock): MissingEntry | null => {
    const known = new Set(
      lock.views.filter(({ check }) => every === "set" || check !== null).map(factKey),
    );
    for (const factor of wanted) {
      const at = times.find((time) => !known.has(factKey({ factor, at: time })));
      if (at !== undefined) return missingView(lock, { factor, at, action }, every);
    }
    return null;
  };
  return { wanted, every, findMissing };
}
