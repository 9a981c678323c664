/**
 * A deterministic synthetic service history, for tests, examples and work without the service: hourly checks with
 * score sets, one reconstructed release per factor, and daily closes with a known relation to the scores.
 *
 * Its store, its checks and its releases are marked `synthetic`.
 *
 * @module
 */

import "../../base/runtime/require_deno.ts";

export { buildWorld } from "./build_world.ts";
export type { World } from "./world.ts";
export type { WorldTruth } from "./truth.ts";
export type { ControlScores } from "./control_scores.ts";
export type { WorldOptions, WorldParameters } from "./world_options.ts";
