/**
 * A deterministic synthetic service history, for tests, examples and work without the service: hourly checks with
 * score sets, one reconstructed release per factor, and daily closes with a known relation to the scores.
 *
 * It is made up and says so: `synthetic` in its store, its checks and its releases.
 *
 * @module
 */

export { buildWorld, openWorld } from "./build_world.ts";
export { CALENDAR_YEARS, MarketCalendar, type Session } from "./calendar.ts";
export type { EpochDay } from "./civil_date.ts";
export type { Closes, ClosesFile } from "./closes.ts";
export type { LaggedCoefficient, PlantedRelation, WorldTruth } from "./truth.ts";
export type { World } from "./world.ts";
export type { WorldOptions, WorldParameters, WorldSize } from "./world_options.ts";
