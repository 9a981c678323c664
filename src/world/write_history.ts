import { type Factor, FACTORS } from "../contract/factor.ts";
import { epochMsOf } from "../contract/instant.ts";
import type { Store } from "../store/store.ts";
import { ClosesWriter } from "./closes_writer.ts";
import { PricePath } from "./price_path.ts";
import { ReleaseWriter } from "./release_writer.ts";
import { ScoreState } from "./score_state.ts";
import { FORMULA, MARKET, PLANTED, type WorldTruth } from "./truth.ts";
import { TruthMeter } from "./truth_meter.ts";
import type { WorldModel } from "./world_model.ts";

/** Writes both releases and the closes in one pass over the sessions, and says what is true of them. */
export async function writeHistory(store: Store, model: WorldModel): Promise<WorldTruth> {
  const { calendar, members } = model;
  const releases = await byFactor((factor) => ReleaseWriter.open(store, model, factor));
  const meters = await byFactor(() => new TruthMeter(members.length));
  const scores = await byFactor(() => new Int32Array(members.length));
  const closes = await ClosesWriter.open(model, store.path);
  const prices = new PricePath(model);
  const first = Math.min(...FACTORS.map((factor) => releases[factor].window.firstSession));
  const last = calendar.lastClosedAt(epochMsOf(model.parameters.end));
  const state = new ScoreState(model, calendar.closeMsOf(first));
  for (let session = first; session <= last; session++) {
    prices.advanceTo(session);
    await closes.writeSession(session, prices);
    const moment = { session, day: calendar.dayOf(session) };
    state.advanceTo(calendar.closeMsOf(session));
    for (const factor of FACTORS) {
      const { window } = releases[factor];
      // The truth is that of the release: scores and returns of its own sessions.
      if (session > window.firstSession && session <= window.lastSession) {
        meters[factor].addReturns(prices.returns);
      }
      state.evaluate(factor, moment, scores[factor]);
      if (session >= window.firstSession) meters[factor].addScores(scores[factor]);
      await releases[factor].writeSession(session, scores[factor]);
    }
    prices.observe(state, moment, scores);
  }
  await closes.finish();
  for (const factor of FACTORS) await releases[factor].finish();
  return toTruth(meters);
}

function toTruth(meters: Readonly<Record<Factor, TruthMeter>>): WorldTruth {
  return {
    formula: FORMULA,
    planted: PLANTED,
    expected: { ecpnd: meters.ecpnd.coefficients(), ecqdi: meters.ecqdi.coefficients() },
    marketVolatility: MARKET.volatility,
    marketDrift: MARKET.drift,
  };
}

async function byFactor<T>(
  make: (factor: Factor) => T | Promise<T>,
): Promise<Readonly<Record<Factor, T>>> {
  return { ecpnd: await make("ecpnd"), ecqdi: await make("ecqdi") };
}
