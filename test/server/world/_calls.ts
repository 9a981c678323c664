import { type EarningsCall, makeCall, quarterOf } from "../../../src/server/world/calls.ts";
import { toEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { makeWorldModel, type WorldModel } from "../../../src/server/world/world_model.ts";
import { toWorldParameters } from "../../../src/server/world/world_options.ts";

/** A day in milliseconds. */
export const DAY = 24 * 3_600_000;

/** A model of 200 companies over two years. */
export const model: WorldModel = makeWorldModel(toWorldParameters({ tickers: 200, years: 2 }));

/** The calls of each company, oldest first. */
export const calls: readonly (readonly EarningsCall[])[] = model.members.map((_, i) => callsOf(i));

function callsOf(member: number): EarningsCall[] {
  const calls: EarningsCall[] = [];
  const last = quarterOf(toEpochDay("2026-09-30"));
  for (let quarter = quarterOf(toEpochDay("2023-01-01")); quarter <= last; quarter++) {
    const call = makeCall(model.members[member]!, { member, quarter }, model);
    if (call !== null) calls.push(call);
  }
  return calls;
}
