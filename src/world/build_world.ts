import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { epochMsOf, instantOf } from "../contract/instant.ts";
import { Store } from "../store/store.ts";
import type { StoreInfo } from "../store/store_info.ts";
import { createCheckSource } from "./check_source.ts";
import { HOUR_MS } from "./civil_date.ts";
import { closesFileOf } from "./closes.ts";
import { completeAllHours, completeHours, type HoursPlan } from "./complete_hours.ts";
import type { WorldTruth } from "./truth.ts";
import type { World } from "./world.ts";
import { makeWorldModel, type WorldModel } from "./world_model.ts";
import { toWorldParameters, type WorldOptions, type WorldParameters } from "./world_options.ts";
import { writeHistory } from "./write_history.ts";

// Written last: a folder without it holds a world that was interrupted.
const TRUTH_FILE = "truth.json";
// A world has nothing before its first check, and knows it.
const BEGINNING = "1970-01-01T00:00:00.000Z";

/**
 * Builds a synthetic service history in a folder: a store with hourly checks, score sets and one release per
 * factor, `closes.csv` and `truth.json`. Equal options give equal files.
 *
 * A folder that already holds this world is reused; an interrupted one is completed.
 *
 * @param folder Folder of the world, made if it does not exist
 * @param options What the world is made of
 * @returns The world, with its store open
 * @throws {RangeError} If an option is out of range, or if the folder holds something else
 *
 * @example Usage
 * ```ts
 * import { buildWorld } from "scoreframe/world";
 *
 * const folder = await Deno.makeTempDir();
 * const world = await buildWorld(folder, { tickers: 20, years: 0.25, hours: 48 });
 * const [release] = await world.store.listReleases("ecqdi");
 * console.assert(release?.release.extra.synthetic === true);
 * ```
 */
export async function buildWorld(folder: string, options: WorldOptions = {}): Promise<World> {
  const parameters = toWorldParameters(options);
  const model = makeWorldModel(parameters);
  await mkdir(folder, { recursive: true });
  // Worlds can be made again at any time: flushing every file to the disk would cost minutes.
  const store = await Store.create(folder, toStoreInfo(model), { durable: false });
  assertSameWorld(store, parameters);
  const source = createCheckSource(model);
  const truth = await readTruth(folder) ?? await completeWorld(store, model);
  return toWorld({ store, model, source, truth });
}

/**
 * Opens a world that was built before, whatever its options were.
 *
 * @throws {IntegrityError} If the folder is not a store
 * @throws {RangeError} If the store is not a complete world
 */
export async function openWorld(folder: string): Promise<World> {
  const store = await Store.open(folder, { durable: false });
  const truth = await readTruth(folder);
  if (store.info.kind !== "world" || truth === null) {
    throw new RangeError(
      `Cannot open the world "${folder}": a world that was built to its end is required, ` +
        `the folder holds ${store.info.kind === "world" ? "an interrupted one" : "a recording"}`,
    );
  }
  const parameters = toWorldParameters(store.info.origin as WorldOptions);
  const model = makeWorldModel(parameters);
  return toWorld({ store, model, source: createCheckSource(model), truth });
}

async function completeWorld(store: Store, model: WorldModel): Promise<WorldTruth> {
  const truth = await writeHistory(store, model);
  const { end } = model.parameters;
  const plan = toHoursPlan(model, createCheckSource(model));
  await completeAllHours(store, { ...plan, throughMs: epochMsOf(end) });
  const temporary = join(store.path, `.tmp-${randomUUID()}`);
  await writeFile(temporary, `${JSON.stringify(truth, null, 2)}\n`);
  await rename(temporary, join(store.path, TRUTH_FILE));
  return truth;
}

function toWorld(
  parts: Pick<World, "store" | "source" | "truth"> & { readonly model: WorldModel },
): World {
  const { store, model, source, truth } = parts;
  const { parameters, calendar } = model;
  const closes = closesFileOf(store.path);
  const extend = (until: string) =>
    completeHours(store, { ...toHoursPlan(model, source), throughMs: epochMsOf(until) });
  return { store, parameters, source, calendar, closes, truth, extend };
}

function toHoursPlan(
  model: WorldModel,
  source: HoursPlan["source"],
): Omit<HoursPlan, "throughMs"> {
  return { source, fromMs: model.liveFromMs, origin: model.origin };
}

function toStoreInfo(model: WorldModel): StoreInfo {
  const { parameters } = model;
  const { seed, tickers, years, hours, end } = parameters;
  // The next check completes on the next full hour, so nothing can come before it.
  const through = instantOf(epochMsOf(end) + HOUR_MS - 1);
  return {
    format: 1,
    kind: "world",
    description: `Synthetic service history, seed ${seed}: ${tickers} tickers, ` +
      `releases of ${years} years, ${hours} hours of checks to ${end}`,
    synthetic: true,
    complete: { from: BEGINNING, through },
    origin: { ...parameters },
  };
}

function assertSameWorld(store: Store, parameters: WorldParameters): void {
  const required = JSON.stringify(parameters);
  const found = store.info.kind === "world"
    ? JSON.stringify(store.info.origin)
    : "a recording of a service";
  if (required === found) return;
  throw new RangeError(
    `Cannot build the world in "${store.path}": the folder must be empty or hold ${required}, ` +
      `it holds ${found}; choose another folder, or open the one that is there with openWorld()`,
  );
}

async function readTruth(folder: string): Promise<WorldTruth | null> {
  try {
    return JSON.parse(await readFile(join(folder, TRUTH_FILE), "utf8")) as WorldTruth;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
