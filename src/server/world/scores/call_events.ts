import { DAY_MS } from "../../../base/calendar/civil_date.ts";
import {
  type EarningsCall,
  firstDayOf,
  makeCall,
  type Quarter,
  quarterOf,
} from "../company/calls.ts";
import type { WorldModel } from "../world_model.ts";

/** Events of the scores and the queues at an instant. */
export type CallEvent =
  | { readonly kind: "arrival" | "value"; readonly atMs: number; readonly call: EarningsCall }
  | { readonly kind: "correction"; readonly atMs: number; readonly pick: number };

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
