import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import { epochMsOf } from "../../../base/contract/instant.ts";
import type { Store } from "../../../base/store/store.ts";
import { PricePath } from "../market/price_path.ts";
import { ReleaseWriter } from "./release_writer.ts";
import { ScoreState } from "../scores/score_state.ts";
import { FORMULA, MARKET, PLANTED, type WorldTruth } from "../truth/truth.ts";
import { TruthMeter } from "../truth/truth_meter.ts";
import type { WorldModel } from "../world_model.ts";
import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ByteWriter } from "./byte_writer.ts";
import { CLOSES_FILE, CLOSES_HEADER } from "../market/closes.ts";
import { FileSink } from "./file_sink.ts";

const NEW_LINE = 10;

/** Writes the daily closes of a world, session by session, with bounded memory. */
class ClosesWriter {
  readonly #model: WorldModel;
  readonly #folder: string;
  readonly #temporary: string;
  readonly #file: FileSink;
  readonly #writer = new ByteWriter();
  readonly #tickers: readonly Uint8Array[];

  private constructor(
    model: WorldModel,
    place: { readonly folder: string; readonly temporary: string; readonly file: FileSink },
  ) {
    this.#model = model;
    this.#folder = place.folder;
    this.#temporary = place.temporary;
    this.#file = place.file;
    this.#tickers = model.members.map(({ ticker }) => new TextEncoder().encode(`,${ticker},`));
    this.#writer.bytes(new TextEncoder().encode(`${CLOSES_HEADER}\n`));
  }

  /** Opens the file of closes in a world's folder. */
  static async open(model: WorldModel, folder: string): Promise<ClosesWriter> {
    const temporary = join(folder, `.tmp-${randomUUID()}`);
    return new ClosesWriter(model, { folder, temporary, file: await FileSink.open(temporary) });
  }

  /** Appends the closes of a session. */
  async writeSession(session: number, prices: PricePath): Promise<void> {
    const date = new TextEncoder().encode(this.#model.calendar.dateOf(session));
    for (let i = 0; i < this.#tickers.length; i++) {
      const close = prices.closeOf(i, session);
      if (close === null) continue;
      this.#writer.bytes(date);
      this.#writer.bytes(this.#tickers[i]!);
      this.#writer.decimal(close);
      this.#writer.code(NEW_LINE);
      if (this.#writer.isFull) await this.#file.write(this.#writer.take());
    }
  }

  /** Finishes the file and gives it its name. */
  async finish(): Promise<void> {
    await this.#file.write(this.#writer.take());
    await this.#file.close();
    await rename(this.#temporary, join(this.#folder, CLOSES_FILE));
  }

  /** Removes an unfinished file. */
  async discard(): Promise<void> {
    await this.#file.abandon();
    await rm(this.#temporary, { force: true });
  }
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
