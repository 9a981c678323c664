import type { Factor } from "../../base/contract/factor.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import type { CallContext } from "./calls.ts";
import { Incidents } from "./incidents.ts";
import { seedOf } from "./random.ts";
import { makeUniverse, type Member } from "./universe.ts";
import { liveFromMs, type WorldParameters } from "./world_options.ts";

/** Facts that follow from a world's parameters without simulation. */
export interface WorldModel extends CallContext {
  readonly parameters: WorldParameters;
  readonly calendar: MarketCalendar;
  readonly incidents: Incidents;
  /** Companies, alphabetical by ticker. */
  readonly members: readonly Member[];
  /** Seeds of the factor values; another version of a factor has other values. */
  readonly valueSeed: Readonly<Record<Factor, number>>;
  /** Instant of the first check, epoch milliseconds. */
  readonly liveFromMs: number;
  /** Name of the world in the store's envelopes. */
  readonly origin: string;
}

/** Label of the universe in checks and releases, which marks the data as synthetic. */
export const UNIVERSE_LABEL = "US research universe (synthetic)";

/** Derives the model of a world. */
export function makeWorldModel(parameters: WorldParameters): WorldModel {
  const { seed, tickers, factorVersions } = parameters;
  return {
    parameters,
    calendar: new MarketCalendar(),
    incidents: new Incidents(seed),
    members: makeUniverse(parameters),
    // The share of calls that fail falls with the universe: a large one would never have a quiet hour otherwise.
    trouble: Math.min(0.1, 12 / tickers),
    valueSeed: {
      ecpnd: seedOf(seed, `values of ${factorVersions.ecpnd}`),
      ecqdi: seedOf(seed, `values of ${factorVersions.ecqdi}`),
    },
    liveFromMs: liveFromMs(parameters),
    origin: `synthetic world, seed ${seed}`,
  };
}
