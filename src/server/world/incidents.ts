import { DAY_MS, type EpochDay, HOUR_MS } from "../../base/calendar/civil_date.ts";
import { hash32, integer, seedOf } from "./random.ts";

const CYCLE_DAYS = 4;
const CYCLE_MS = CYCLE_DAYS * DAY_MS;

/** A span of time: from an instant (included) to another (excluded), epoch milliseconds. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Schedule of the service's incidents. Every four days contain one day with delayed sources, one with a
 * backlog of call updates, one with late prices and one with an outage, so that a week of checks has all of
 * them.
 */
export class Incidents {
  readonly #seed: number;

  /** @param seed Seed of the world */
  constructor(seed: number) {
    this.#seed = seedOf(seed, "incidents");
  }

  /** The span of delayed sources that an instant lies in, or `null`. */
  sourceDelayAt(epochMs: number): TimeSpan | null {
    return this.#spanAt(epochMs, { day: 0, firstHour: 4, hours: 16, longest: 5 });
  }

  /** The span of a backlog of call updates that an instant lies in, or `null`. */
  backlogAt(epochMs: number): TimeSpan | null {
    return this.#spanAt(epochMs, { day: 1, firstHour: 1, hours: 12, longest: 6 });
  }

  /** True if no check completes at an instant. */
  isOutage(epochMs: number): boolean {
    return this.#spanAt(epochMs, { day: 3, firstHour: 2, hours: 20, longest: 2 }) !== null;
  }

  /** Delay of the prices of a day's session, in hours. */
  priceDelayHours(day: EpochDay): number {
    const cycle = Math.floor(day / CYCLE_DAYS);
    return day - cycle * CYCLE_DAYS === 2 ? integer(this.#seed, { from: 5, to: 12 }, cycle, 4) : 0;
  }

  /** Source updates other than calls that wait in a backlog: revised transcripts that are delivered again. */
  redeliveriesAt(epochMs: number): number {
    const backlog = this.backlogAt(epochMs);
    if (backlog === null) return 0;
    let count = 0;
    for (let hourMs = backlog.fromMs; hourMs <= epochMs; hourMs += HOUR_MS) {
      count += 1 + hash32(this.#seed, hourMs / HOUR_MS, 5) % 3;
    }
    return count;
  }

  /** The instants of corrections in a span, with a number that selects what is corrected. */
  correctionsIn(span: TimeSpan): readonly { readonly atMs: number; readonly pick: number }[] {
    const corrections: { atMs: number; pick: number }[] = [];
    for (let cycle = Math.floor(span.fromMs / CYCLE_MS); cycle * CYCLE_MS < span.toMs; cycle++) {
      const minute = integer(this.#seed, { from: 0, to: CYCLE_DAYS * 24 * 60 }, cycle, 6);
      const atMs = cycle * CYCLE_MS + minute * 60_000;
      const pick = hash32(this.#seed, cycle, 7);
      if (atMs >= span.fromMs && atMs < span.toMs) corrections.push({ atMs, pick });
    }
    return corrections;
  }

  #spanAt(
    epochMs: number,
    plan: { day: number; firstHour: number; hours: number; longest: number },
  ): TimeSpan | null {
    const cycle = Math.floor(epochMs / CYCLE_MS);
    const { day, firstHour, hours, longest } = plan;
    const start = integer(this.#seed, { from: firstHour, to: firstHour + hours }, cycle, day * 10);
    const length = integer(
      this.#seed,
      { from: Math.ceil(longest / 2), to: longest + 1 },
      cycle,
      day * 10 + 1,
    );
    const fromMs = cycle * CYCLE_MS + (day * 24 + start) * HOUR_MS;
    const toMs = fromMs + length * HOUR_MS;
    return epochMs >= fromMs && epochMs < toMs ? { fromMs, toMs } : null;
  }
}
