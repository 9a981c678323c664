/**
 * A deterministic synthetic service history, for tests, examples and work without the service: hourly checks with
 * score sets, one reconstructed release per factor, and daily closes with a known relation to the scores.
 *
 * Its store, its checks and its releases are marked `synthetic`.
 *
 * @module
 */

import "../../base/runtime/require_deno.ts";

export { buildWorld, type BuildWorldOptions } from "./build_world.ts";
export { openWorld, type World } from "./world.ts";
export { CALENDAR_YEARS, type Session } from "../../base/calendar/list_sessions.ts";
export { MarketCalendar } from "../../base/calendar/market_calendar.ts";
export type { EpochDay } from "../../base/calendar/civil_date.ts";
export type { Closes, ClosesFile } from "./closes.ts";
export type { WorldTruth } from "./truth.ts";
export type { ControlScores, WorldControls } from "./control_scores.ts";
export type { WorldOptions, WorldParameters, WorldSize } from "./world_options.ts";
