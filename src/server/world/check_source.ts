import type { Factor } from "../../base/contract/factor.ts";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import type { ScoreRows } from "../../base/contract/scores/score_rows.ts";
import type { CheckInput, CheckSource } from "../../base/store/checks/complete_check.ts";
import { DAY_MS, HOUR_MS } from "../../base/calendar/civil_date.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { hash32 } from "./random.ts";
import { MICRO, NOT_COVERED, type Queues, ScoreState, type ScoringMoment } from "./score_state.ts";
import { UNIVERSE_LABEL, type WorldModel } from "./world_model.ts";
import { isCovered } from "./universe.ts";

// The panel also tracks benchmarks, and leaves out some companies of the universe.
const BENCHMARKS = 3;
const TRACKED_SHARE = 0.985;
const USUAL_HOURS = 1.5;

/**
 * Hourly checks of a world, without an end. The check of an hour depends only on the world's
 * parameters. Moving forward is cheap; an earlier hour restarts the simulation.
 */
export function createCheckSource(model: WorldModel): CheckSource {
  const readers = { ecpnd: new LiveReader(model, "ecpnd"), ecqdi: new LiveReader(model, "ecqdi") };
  return (factor, hour) => {
    const hourMs = epochMsOf(hour);
    if (hourMs % HOUR_MS !== 0) {
      throw new RangeError(
        `Cannot complete the check of ${hour}: expected a full hour, got ${hour.slice(11)}`,
      );
    }
    if (hourMs < model.liveFromMs || model.incidents.isOutage(hourMs)) return null;
    const delay = model.incidents.sourceDelayAt(hourMs);
    const examinedMs = delay?.fromMs ?? hourMs;
    // A check examines inputs that arrived some minutes before its completion.
    const cutoffMs = examinedMs - 45_000 -
      hash32(model.parameters.seed, examinedMs / HOUR_MS, 40) % 240_000;
    const { rows, queues } = readers[factor].readAt(cutoffMs);
    return {
      factor,
      universe: UNIVERSE_LABEL,
      factorVersion: model.parameters.factorVersions[factor],
      checkedAt: hour,
      dataThrough: instantOf(cutoffMs),
      rows,
      callSourceDelayed: delay !== null,
      ...queues,
      ...priceStateAt(model, hourMs),
      extra: { synthetic: true },
    };
  };
}

/** Scores and queues of one factor at instants that usually go forward. */
class LiveReader {
  readonly #model: WorldModel;
  readonly #factor: Factor;
  readonly #micro: Int32Array;
  #state: ScoreState | null = null;
  #positionMs = Infinity;
  #rows: ScoreRows = { tickers: [], scores: [] };
  #rowsKey = "";

  constructor(model: WorldModel, factor: Factor) {
    this.#model = model;
    this.#factor = factor;
    this.#micro = new Int32Array(model.members.length);
  }

  readAt(cutoffMs: number): { readonly rows: ScoreRows; readonly queues: Queues } {
    const state = this.#stateAt(cutoffMs);
    const { calendar } = this.#model;
    const moment = { session: calendar.lastClosedAt(cutoffMs), day: newYorkDay(cutoffMs) };
    const key = `${state.changes} ${moment.session} ${moment.day}`;
    if (key !== this.#rowsKey) this.#rows = this.#evaluate(state, moment);
    this.#rowsKey = key;
    return { rows: this.#rows, queues: state.queuesAt(cutoffMs) };
  }

  #stateAt(cutoffMs: number): ScoreState {
    if (this.#state === null || cutoffMs < this.#positionMs) {
      this.#state = new ScoreState(this.#model, cutoffMs);
      this.#rowsKey = "";
    }
    this.#positionMs = cutoffMs;
    this.#state.advanceTo(cutoffMs);
    return this.#state;
  }

  #evaluate(state: ScoreState, moment: ScoringMoment): ScoreRows {
    state.evaluate(this.#factor, moment, this.#micro);
    const tickers: string[] = [];
    const scores: (number | null)[] = [];
    for (const [i, { ticker }] of this.#model.members.entries()) {
      const micro = this.#micro[i]!;
      if (micro === NOT_COVERED) continue;
      tickers.push(ticker);
      scores.push(micro < 0 ? null : micro / MICRO);
    }
    return { tickers, scores };
  }
}

/** State of the price panel at a check. */
type PriceState = Pick<
  CheckInput,
  "pricesThrough" | "benchmarkCurrent" | "priceTickersCurrent" | "priceTickersTracked"
>;

/**
 * The price panel at a check: a session's prices come in over the two hours after its close,
 * the benchmark's first; on some days all of them are late.
 */
export function priceStateAt(model: WorldModel, hourMs: number): PriceState {
  const { calendar, incidents } = model;
  const session = calendar.lastClosedAt(hourMs);
  const day = calendar.dayOf(session);
  const hoursSinceClose = (hourMs - calendar.closeMsOf(session)) / HOUR_MS;
  const delayHours = incidents.priceDelayHours(day);
  const isDue = hoursSinceClose >= 0.5;
  const benchmarkStored = hoursSinceClose >= (delayHours === 0 ? 0.75 : 2.5);
  const priceTickersTracked = countTracked(model, Math.floor(hourMs / DAY_MS));
  const share = isDue ? Math.min(1, hoursSinceClose / (USUAL_HOURS + delayHours)) : 1;
  return {
    pricesThrough: calendar.dateOf(benchmarkStored ? session : session - 1),
    benchmarkCurrent: benchmarkStored || !isDue,
    priceTickersCurrent: Math.floor(priceTickersTracked * share),
    priceTickersTracked,
  };
}

function countTracked(model: WorldModel, day: number): number {
  const covered = model.members.filter((member) => isCovered(member, day));
  return Math.ceil(covered.length * TRACKED_SHARE) + BENCHMARKS;
}
