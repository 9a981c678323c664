import { epochMsOf } from "../../../base/contract/instant.ts";
import { createCheckSource } from "../check_source.ts";
import type { WorldModel } from "../world_model.ts";
import type { HoursPlan } from "./complete_hours.ts";

/** All hours of a world, from its first check to its end. */
export function hoursPlanOf(model: WorldModel): HoursPlan {
  const { liveFromMs: fromMs, origin, parameters } = model;
  return { source: createCheckSource(model), fromMs, throughMs: epochMsOf(parameters.end), origin };
}
