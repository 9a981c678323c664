import { epochMsOf, type Instant } from "../../base/contract/instant.ts";
import type { CheckSource } from "../../base/store/checks/complete_check.ts";
import type { StoreReader } from "../../base/store/store_reader.ts";
import { closesFileOf } from "./closes.ts";
import { type ControlScores, controlsOf } from "./control_scores.ts";
import { readTruth, type WorldTruth } from "./truth.ts";
import { toWorldParameters, type WorldOptions, type WorldParameters } from "./world_options.ts";
import { Store } from "../../base/store/store.ts";
import { createCheckSource } from "./check_source.ts";
import { readLastCheck } from "../../base/store/checks/complete_check.ts";
import { completeHours } from "./write_hours.ts";
import { makeWorldModel, type WorldModel } from "./world_model.ts";
import { StorageError } from "../../base/errors.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";

/** Synthetic service history: a store with every check of its span, and its parameters. */
export interface World {
  /** The store, marked as synthetic. */
  readonly store: StoreReader;
  /** Parameters of the world. */
  readonly parameters: WorldParameters;
  /** The checks of the world, also beyond its end. */
  readonly source: CheckSource;
  /** Daily closes from the first session of the releases through the world's end. */
  readonly closes: {
    /** Path of the CSV file; read the ticker column as text. */
    readonly path: string;
  };
  /** True parameters of the closes by construction. */
  readonly truth: WorldTruth;
  /** Control scores, in which a correct analysis finds no predictability. */
  readonly controls: {
    /**
     * Scores independent of the closes. Like those of calls they persist for a quarter, some are exactly 0, one half or 1, and
     * some are missing. They are published an hour before the close.
     */
    readonly noise: () => Promise<ControlScores>;
    /**
     * The return of each session, dated at the previous close but published when it can no longer be earned. Matched by date or
     * cutoff, it predicts every session perfectly (look-ahead); matched by publication time, it predicts nothing.
     *
     * @param secondsAfterClose Seconds from the close of its session to its publication; negative for before
     * @default 1
     */
    readonly foresight: (secondsAfterClose?: number) => Promise<ControlScores>;
  };
  /**
   * Completes the hourly checks after the store's last one, up to the last full hour by an instant.
   *
   * @returns Number of checks that were completed
   */
  extend(until: Instant): Promise<number>;
}

/** Assembles a finished world. */
export function toWorld(store: Store, model: WorldModel, truth: WorldTruth): World {
  const { parameters, calendar, origin, liveFromMs } = model;
  const source = createCheckSource(model);
  const extend = (until: string) => {
    const plan = { source, origin, fromMs: liveFromMs, throughMs: epochMsOf(until) };
    return completeHours(store, plan, () => {}, (factor) => readLastCheck(store, factor));
  };
  const closes = closesFileOf(store.path);
  const controls = controlsOf({ seed: parameters.seed, calendar, readCloses: closes.read });
  return { store, parameters, source, closes, truth, controls, extend };
}

/**
 * Opens a world that was built before, with any options.
 *
 * @param folder Folder of the world, as `buildWorld()` made it
 * @throws {IntegrityError} If the folder is not a store
 * @throws {StorageError} If the store is not a complete world
 * @throws {TypeError} If no folder is given
 */
export async function openWorld(folder: string): Promise<World> {
  assertFolder("open a world", folder);
  const store = await Store.open(folder, { durable: false });
  const truth = await readTruth(folder);
  if (store.info.kind !== "world" || truth === null) {
    const found = store.info.kind === "world" ? "an interrupted one" : "a recording";
    throw new StorageError(
      `Cannot open the world "${folder}": expected a world that was built to its end, got ${found}; ` +
        "buildWorld() with the same options completes an interrupted one",
    );
  }
  const parameters = toWorldParameters(store.info.origin as WorldOptions);
  return toWorld(store, makeWorldModel(parameters), truth);
}
