import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf } from "../../../base/contract/instant.ts";
import type { Store } from "../../../base/store/store.ts";
import { ClosesWriter } from "./closes_writer.ts";
import { PricePath } from "../market/price_path.ts";
import { ReleaseWriter } from "./release_writer.ts";
import { ScoreState } from "../scores/score_state.ts";
import { FORMULA, MARKET, PLANTED, type WorldTruth } from "../truth/truth.ts";
import { TruthMeter } from "../truth/truth_meter.ts";
import type { WorldModel } from "../world_model.ts";

/**
 * Writes both releases and the closes in one pass over the sessions, and returns their true parameters.
 *
 * A failure leaves no partial file.
 *
 * @param onSession Called after each session
 */
export async function writeHistory(
  store: Store,
  model: WorldModel,
  onSession: () => void = () => {},
): Promise<WorldTruth> {
  const outputs: Outputs = {
    releases: await byFactor((factor) => ReleaseWriter.open(store, model, factor)),
    closes: await ClosesWriter.open(model, store.path),
    meters: await byFactor(() => new TruthMeter(model.members.length)),
  };
  const { closes, releases, meters } = outputs;
  try {
    await writeSessions(model, outputs, onSession);
    await Promise.all([closes, releases.ecpnd, releases.ecqdi].map((file) => file.finish()));
    return toTruth(meters);
  } finally {
    await Promise.all([closes, releases.ecpnd, releases.ecqdi].map((file) => file.discard()));
  }
}

interface Outputs {
  readonly releases: Readonly<Record<Factor, ReleaseWriter>>;
  readonly closes: ClosesWriter;
  readonly meters: Readonly<Record<Factor, TruthMeter>>;
}

async function writeSessions(
  model: WorldModel,
  outputs: Outputs,
  onSession: () => void,
): Promise<void> {
  const { releases, closes, meters } = outputs;
  const { calendar, members, parameters } = model;
  const scores = await byFactor(() => new Int32Array(members.length));
  const prices = new PricePath(model);
  const first = Math.min(...FACTORS.map((factor) => releases[factor].window.firstSession));
  const last = calendar.lastClosedAt(epochMsOf(parameters.end));
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
    onSession();
  }
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
