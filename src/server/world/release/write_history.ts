import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf } from "../../../base/contract/instant.ts";
import type { Store } from "../../../base/store/store.ts";
import { PricePath } from "../price_path.ts";
import { openReleaseWriter, type ReleaseWriter } from "./release_writer.ts";
import { ScoreState } from "../score_state.ts";
import { FORMULA, MARKET, PLANTED, TruthMeter, type WorldTruth } from "../truth.ts";
import type { WorldModel } from "../world_model.ts";
import { temporaryPath } from "../../../base/disk/files.ts";
import { inPieces, openFileSink } from "./release_file.ts";
import { CLOSES_FILE, CLOSES_HEADER } from "../closes.ts";

/** Opens the file of a world's daily closes, which is written session by session, with bounded memory. */
async function openCloses({ calendar, members }: WorldModel, folder: string) {
  const temporary = temporaryPath(folder);
  const file = await openFileSink(temporary);
  const rows = inPieces(file.write);
  await rows.add(`${CLOSES_HEADER}\n`);
  return {
    async writeSession(session: number, prices: PricePath): Promise<void> {
      const date = calendar.dateOf(session);
      let text = "";
      for (const [i, { ticker }] of members.entries()) {
        const close = prices.closeOf(i, session);
        if (close !== null) text += `${date},${ticker},${fourDecimals(close)}\n`;
      }
      await rows.add(text);
    },
    async finish(): Promise<void> {
      await rows.flush();
      await file.close();
      await rename(temporary, join(folder, CLOSES_FILE));
    },
    async discard(): Promise<void> {
      await file.abandon();
      await rm(temporary, { force: true });
    },
  };
}

// Half the time of `toFixed`.
function fourDecimals(tenThousandths: number): string {
  const digits = String(tenThousandths).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

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
    releases: await byFactor((factor) => openReleaseWriter(store, model, factor)),
    closes: await openCloses(model, store.path),
    meters: await byFactor(() => new TruthMeter(model.members.length)),
  };
  const files = [outputs.closes, outputs.releases.ecpnd, outputs.releases.ecqdi];
  const { ecpnd, ecqdi } = outputs.meters;
  try {
    await writeSessions(model, outputs, onSession);
    await Promise.all(files.map((file) => file.finish()));
    return {
      formula: FORMULA,
      planted: PLANTED,
      expected: { ecpnd: ecpnd.coefficients(), ecqdi: ecqdi.coefficients() },
      marketVolatility: MARKET.volatility,
      marketDrift: MARKET.drift,
    };
  } finally {
    await Promise.all(files.map((file) => file.discard()));
  }
}

interface Outputs {
  readonly releases: Readonly<Record<Factor, ReleaseWriter>>;
  readonly closes: Awaited<ReturnType<typeof openCloses>>;
  readonly meters: Readonly<Record<Factor, TruthMeter>>;
}

async function writeSessions(
  model: WorldModel,
  { releases, closes, meters }: Outputs,
  onSession: () => void,
): Promise<void> {
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

async function byFactor<T>(
  make: (factor: Factor) => T | Promise<T>,
): Promise<Readonly<Record<Factor, T>>> {
  return { ecpnd: await make("ecpnd"), ecqdi: await make("ecqdi") };
}
