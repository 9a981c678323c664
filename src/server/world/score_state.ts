import type { Factor } from "../../base/contract/factor.ts";
import { DAY_MS, type EpochDay } from "../../base/calendar/civil_date.ts";
import { type EarningsCall, firstDayOf, makeCall, type Quarter, quarterOf } from "./calls.ts";
import { hash32, normal } from "./random.ts";
import { isCovered } from "./universe.ts";
import type { WorldModel } from "./world_model.ts";

// A fiscal quarter begins up to two months after the calendar's, and its call comes within two more.
const LOOK_BACK_DAYS = 150;

/** Events of a world in order, generated quarter by quarter. */
export class CallEvents {
  readonly #model: WorldModel;
  #waiting: CallEvent[] = [];
  #next = 0;
  #quarter: Quarter;

  /**
   * @param model The world
   * @param fromMs Calls that have their value before this instant may be missing
   */
  constructor(model: WorldModel, fromMs: number) {
    this.#model = model;
    this.#quarter = quarterOf(Math.floor(fromMs / DAY_MS) - LOOK_BACK_DAYS);
  }

  /** Returns the next event at or before an instant, or `null`. */
  take(throughMs: number): CallEvent | null {
    while (firstDayOf(this.#quarter) * DAY_MS <= throughMs) this.#addQuarter();
    const event = this.#waiting[this.#next];
    if (event === undefined || event.atMs > throughMs) return null;
    this.#next++;
    return event;
  }

  #addQuarter(): void {
    const quarter = this.#quarter++;
    const events = this.#waiting.slice(this.#next);
    for (const [index, member] of this.#model.members.entries()) {
      const call = makeCall(member, { member: index, quarter }, this.#model);
      if (call === null) continue;
      events.push({ kind: "arrival", atMs: call.transcriptMs, call });
      events.push({ kind: "value", atMs: call.processedMs, call });
    }
    const span = { fromMs: firstDayOf(quarter) * DAY_MS, toMs: firstDayOf(quarter + 1) * DAY_MS };
    for (const { atMs, pick } of this.#model.incidents.correctionsIn(span)) {
      events.push({ kind: "correction", atMs, pick });
    }
    this.#waiting = events.sort((a, b) => a.atMs - b.atMs);
    this.#next = 0;
  }
}

/** Scores are whole millionths, so that text and number are exact. */
export const MICRO = 1_000_000;

/** Marks a company without an eligible value. */
const NO_VALUE = -1;

/** Marks a company that is not in the universe. */
export const NOT_COVERED = -2;

/** A participation record counts for this many sessions (section 1). */
const PARTICIPATION_SESSIONS = 126;

/** A qualified call value is carried for this many calendar days (section 1). */
const CARRY_DAYS = 90;

/** Standard deviation of the scores around 0.5, before they are cut off at 0 and 1. */
export const SCORE_SPREAD = 0.2;

/** The moment at which scores are evaluated: the last closed session, and the calendar day in New York. */
export interface ScoringMoment {
  readonly session: number;
  readonly day: EpochDay;
}

/** Source-update and factor-processing queues at an instant. */
export interface Queues {
  readonly pendingCalls: number;
  readonly failedCalls: number;
  readonly pendingFactorCalls: number;
}

// Nothing earlier matters: the span covers a record's 126 sessions and the calls that a correction chose among.
const WARM_UP_MS = 320 * DAY_MS;
const NEVER = -1_000_000;
const OWN_WEIGHT = 0.8;
const NETWORK_WEIGHT = 0.6;
const LEVEL_WEIGHT = 0.6;
const CALL_WEIGHT = 0.8;
const CORRECTION_SIZE = 0.4;

/** Scores of a world, updated with its calls. Time only moves forward. */
export class ScoreState {
  readonly #model: WorldModel;
  readonly #events: CallEvents;
  readonly #callDay: Int32Array;
  readonly #callSession: Int32Array;
  readonly #latent: Readonly<Record<Factor, Float64Array>>;
  readonly #covered: Uint8Array;
  readonly #groupSum: Float64Array;
  readonly #groupCount: Int32Array;
  #open: EarningsCall[] = [];
  #coveredDay = NaN;
  #changes = 0;

  /**
   * @param model The world
   * @param fromMs Scores are right from this instant on
   */
  constructor(model: WorldModel, fromMs: number) {
    const count = model.members.length;
    this.#model = model;
    this.#events = new CallEvents(model, fromMs - WARM_UP_MS);
    this.#callDay = new Int32Array(count).fill(NEVER);
    this.#callSession = new Int32Array(count).fill(NEVER);
    this.#latent = { ecpnd: new Float64Array(count), ecqdi: new Float64Array(count) };
    this.#covered = new Uint8Array(count);
    this.#groupSum = new Float64Array(count);
    this.#groupCount = new Int32Array(count);
  }

  /** Number of events so far; while it is unchanged, values at the same moment are too. */
  get changes(): number {
    return this.#changes;
  }

  /** Applies all events up to and including an instant. */
  advanceTo(epochMs: number): void {
    for (let event = this.#events.take(epochMs); event; event = this.#events.take(epochMs)) {
      if (event.kind === "correction") this.#correct(event);
      else if (event.kind === "arrival") this.#open.push(event.call);
      else this.#setValue(event.call);
    }
  }

  /** Writes the scores of every company in millionths, {@link NO_VALUE} or {@link NOT_COVERED}. */
  evaluate(factor: Factor, moment: ScoringMoment, into: Int32Array): void {
    this.#cover(moment.day);
    if (factor === "ecpnd") this.#evaluateEcpnd(moment, into);
    else this.#evaluateEcqdi(moment, into);
  }

  /** Number of sessions since the call that a company's value comes from. */
  ageOf(member: number, moment: ScoringMoment): number {
    return Math.max(0, moment.session - this.#callSession[member]!);
  }

  /** The queues at an instant, which must not lie before the one last advanced to. */
  queuesAt(epochMs: number): Queues {
    this.#open = this.#open.filter((call) => call.processedMs > epochMs);
    const count = (matches: (call: EarningsCall) => boolean) => this.#open.filter(matches).length;
    return {
      pendingCalls: count((call) => epochMs < call.takenMs) +
        this.#model.incidents.redeliveriesAt(epochMs),
      failedCalls: count((call) => epochMs >= call.takenMs && epochMs < call.failedUntilMs),
      pendingFactorCalls: count((call) => epochMs >= call.failedUntilMs),
    };
  }

  #setValue(call: EarningsCall): void {
    const { member, quarter, day } = call;
    if (!call.isQualified) return;
    const { id, level } = this.#model.members[member]!;
    const { valueSeed, calendar } = this.#model;
    this.#callDay[member] = day;
    this.#callSession[member] = calendar.firstFrom(day);
    for (const factor of ["ecpnd", "ecqdi"] as const) {
      const surprise = normal(valueSeed[factor], id, quarter);
      this.#latent[factor][member] = LEVEL_WEIGHT * level[factor] + CALL_WEIGHT * surprise;
    }
    this.#changes++;
  }

  #correct(event: { readonly atMs: number; readonly pick: number }): void {
    const day = Math.floor(event.atMs / DAY_MS);
    const { members, valueSeed } = this.#model;
    // Not every company has a recent value: the first of some candidates that has one is corrected.
    for (let candidate = 0; candidate < 16; candidate++) {
      const member = hash32(event.pick, candidate) % members.length;
      const age = day - this.#callDay[member]!;
      if (age > CARRY_DAYS - 10 || !isCovered(members[member]!, day)) continue;
      for (const factor of ["ecpnd", "ecqdi"] as const) {
        this.#latent[factor][member]! += CORRECTION_SIZE * normal(valueSeed[factor], event.pick);
      }
      this.#changes++;
      return;
    }
  }

  #cover(day: EpochDay): void {
    if (day === this.#coveredDay) return;
    const { members } = this.#model;
    for (let i = 0; i < members.length; i++) {
      this.#covered[i] = isCovered(members[i]!, day) ? 1 : 0;
    }
    this.#coveredDay = day;
  }

  #evaluateEcqdi(moment: ScoringMoment, into: Int32Array): void {
    const latent = this.#latent.ecqdi;
    for (let i = 0; i < into.length; i++) {
      if (this.#covered[i] === 0) into[i] = NOT_COVERED;
      else if (moment.day - this.#callDay[i]! > CARRY_DAYS) into[i] = NO_VALUE;
      else into[i] = toMicro(latent[i]!);
    }
  }

  // Own participation fades over 126 sessions; the companies of the same network group contribute the rest.
  #evaluateEcpnd(moment: ScoringMoment, into: Int32Array): void {
    const { members } = this.#model;
    this.#groupSum.fill(0);
    this.#groupCount.fill(0);
    for (let i = 0; i < into.length; i++) {
      const { group } = members[i]!;
      if (this.#covered[i] === 0 || !this.#participates(i, moment)) continue;
      this.#groupSum[group]! += this.#participation(i, moment);
      this.#groupCount[group]!++;
    }
    for (let i = 0; i < into.length; i++) {
      if (this.#covered[i] === 0) into[i] = NOT_COVERED;
      else if (!this.#participates(i, moment)) into[i] = NO_VALUE;
      else into[i] = toMicro(this.#latentEcpnd(i, moment));
    }
  }

  #latentEcpnd(i: number, moment: ScoringMoment): number {
    const { group } = this.#model.members[i]!;
    const network = this.#groupSum[group]! / Math.sqrt(this.#groupCount[group]!);
    return OWN_WEIGHT * this.#participation(i, moment) + NETWORK_WEIGHT * network;
  }

  #participates(i: number, moment: ScoringMoment): boolean {
    return this.ageOf(i, moment) < PARTICIPATION_SESSIONS;
  }

  #participation(i: number, moment: ScoringMoment): number {
    return this.#latent.ecpnd[i]! * (1 - this.ageOf(i, moment) / (2 * PARTICIPATION_SESSIONS));
  }
}

function toMicro(latent: number): number {
  const score = 0.5 + SCORE_SPREAD * latent;
  return Math.round(MICRO * Math.min(1, Math.max(0, score)));
}

/** Events of the scores and the queues at an instant. */
export type CallEvent =
  | { readonly kind: "arrival" | "value"; readonly atMs: number; readonly call: EarningsCall }
  | { readonly kind: "correction"; readonly atMs: number; readonly pick: number };
