/**
 * A deterministic synthetic service history, for tests, examples and work without the service: hourly checks with
 * score sets, one reconstructed release per factor, and daily closes with a known relation to the scores.
 *
 * It is made up and says so: `synthetic` in its store, its checks and its releases.
 *
 * @module
 */

import "../runtime/require_deno.ts";

export { buildWorld, type BuildWorldOptions } from "./build_world.ts";
export type { BuildProgress } from "./build_meter.ts";
export { openWorld } from "./open_world.ts";
export { CALENDAR_YEARS, type Session } from "../calendar/list_sessions.ts";
export { MarketCalendar } from "../calendar/market_calendar.ts";
export type { EpochDay } from "../calendar/civil_date.ts";
export type { Closes, ClosesFile } from "./market/closes.ts";
export type { LaggedCoefficient, PlantedRelation, WorldTruth } from "./truth/truth.ts";
export type { ControlScores, WorldControls } from "./truth/control_scores.ts";
export type { World } from "./world.ts";
export type { WorldOptions, WorldParameters, WorldSize } from "./world_options.ts";

export type { Factor, ScoreName } from "../contract/factor.ts";
export type { KnownStatus, Status } from "../contract/scores/status.ts";
export type { CalendarDate, Instant } from "../contract/instant.ts";
export type { CheckInput, CheckSource } from "../store/scores/complete_check.ts";
export type { Store } from "../store/store.ts";
export type { ScoreRows } from "../contract/scores/score_rows.ts";
export type { Check } from "../contract/scores/check.ts";
export type { Coverage } from "../contract/scores/coverage.ts";
export type { Release } from "../contract/release.ts";
export type { StoreInfo } from "../store/store_info.ts";
export type { StoredSet } from "../store/scores/set_file.ts";
export type { StoredCheck } from "../store/scores/check_file.ts";
export type { StoredRelease } from "../store/release/release_file.ts";
export type { ReleaseReceipt, ReleaseStaging } from "../store/release/release_folder.ts";
export type { CheckEntry, StoredView, StoreOptions } from "../store/store.ts";
