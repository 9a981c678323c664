import type { CheckInput } from "../../../base/store/checks/complete_check.ts";
import { DAY_MS, HOUR_MS } from "../../../base/calendar/civil_date.ts";
import { isCovered } from "../company/universe.ts";
import type { WorldModel } from "../world_model.ts";

/** State of the price panel at a check. */
export type PriceState = Pick<
  CheckInput,
  "pricesThrough" | "benchmarkCurrent" | "priceTickersCurrent" | "priceTickersTracked"
>;

// The panel also tracks benchmarks, and leaves out some companies of the universe.
const BENCHMARKS = 3;
const TRACKED_SHARE = 0.985;
const USUAL_HOURS = 1.5;

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
