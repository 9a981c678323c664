import { epochMsOf } from "../../base/contract/instant.ts";
import type { Store } from "../../base/store/store.ts";
import { createCheckSource } from "./check_source.ts";
import { closesFileOf } from "./market/closes.ts";
import { completeHours } from "./hours/complete_hours.ts";
import { controlsOf } from "./control_scores.ts";
import type { WorldTruth } from "./truth/truth.ts";
import type { World } from "./world.ts";
import type { WorldModel } from "./world_model.ts";

/** Assembles a finished world. */
export function toWorld(store: Store, model: WorldModel, truth: WorldTruth): World {
  const { parameters, calendar, origin, liveFromMs } = model;
  const source = createCheckSource(model);
  const extend = (until: string) =>
    completeHours(store, { source, origin, fromMs: liveFromMs, throughMs: epochMsOf(until) });
  const closes = closesFileOf(store.path);
  const controls = controlsOf({ seed: parameters.seed, calendar, readCloses: closes.read });
  return { store, parameters, source, calendar, closes, truth, controls, extend };
}
