import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { epochMsOf, instantOf } from "../../base/contract/instant.ts";
import { isThere, removeLeftBehind } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { StorageError } from "../../base/errors.ts";
import { Store } from "../../base/store/store.ts";
import type { StoreInfo } from "../../base/store/store_info.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";
import { HOUR_MS } from "../../base/calendar/civil_date.ts";
import { readTruth, type WorldTruth, writeTruth } from "./truth.ts";
import { toWorld, type World } from "./world.ts";
import { makeWorldModel, type WorldModel } from "./world_model.ts";
import { toWorldParameters, type WorldOptions, type WorldParameters } from "./world_options.ts";
import { writeHistory } from "./release/write_history.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { ARCHIVE_FILE, LAYOUT } from "../../base/store/layout.ts";
import { completeHours, hoursPlanOf, writeHours } from "./write_hours.ts";
import { anyFunction } from "../../base/arguments/check_options.ts";
import { releaseWindowOf } from "./release/release_writer.ts";

// Up to this number of hours, single files for sets and checks cost little, and are easier to inspect than an archive.
const MOST_FILES_HOURS = 1_000;

/** Progress of building a world. */
export interface BuildProgress {
  /** Number of sessions and hours written, with the hours of both factors. */
  readonly done: number;
  /** Total number of sessions and hours to write. */
  readonly total: number;
}

// A world knows that nothing precedes its first check.
const BEGINNING = "1970-01-01T00:00:00.000Z";

/**
 * Builds a synthetic service history in a folder: a store with hourly checks, score sets and one release per
 * factor, `closes.csv` and `truth.json`. Equal options give equal files.
 *
 * A folder that already holds this world is reused; an interrupted one is completed, and leftovers of the
 * interruption are removed.
 *
 * @param folder Folder of the world, made if it does not exist
 * @param options Contents of the world, and a listener that hears of the progress many times a second, unless the world is reused
 * @returns The world, with its store open
 * @throws {RangeError} If an option is out of range
 * @throws {StorageError} If the folder holds something else, or the disk is full
 * @throws {TypeError} If there is no such option, or no folder is given
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
export async function buildWorld(
  folder: string,
  options: WorldOptions & {
    readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  } = {},
): Promise<World> {
  assertFolder("build a world", folder);
  const parameters = toWorldParameters(options, { onProgress: anyFunction() });
  const { onProgress = () => {} } = options;
  const model = makeWorldModel(parameters);
  await onDisk(`build a world in ${folder}`, () => mkdir(folder, { recursive: true }));
  await assertFree(folder);
  await removeLeftBehind(folder);
  // Worlds can be rebuilt at any time, and flushing every file to the disk would cost minutes.
  const store = await Store.create(folder, toStoreInfo(model), { durable: false });
  assertSameWorld(store, parameters);
  const truth = await readTruth(folder) ?? await completeWorld(store, model, onProgress);
  return toWorld(store, model, truth);
}

async function completeWorld(
  store: Store,
  model: WorldModel,
  onProgress: (progress: BuildProgress) => void,
): Promise<WorldTruth> {
  const add = buildMeter(model, onProgress);
  const history = writeHistory(store, model, () => add(1));
  const hours = writeAllHours(store, model, add);
  // Waits for both before throwing a failure, so that nothing is written afterwards.
  await Promise.allSettled([history, hours]);
  const [truth] = await Promise.all([history, hours]);
  await writeTruth(store.path, truth);
  return truth;
}

/**
 * Counts the sessions and hours of a world as they are written, from zero.
 *
 * @param onProgress Called after each addition
 * @returns Adds sessions or hours that were written
 */
function buildMeter(
  model: WorldModel,
  onProgress: (progress: BuildProgress) => void,
): (count: number) => void {
  const firsts = FACTORS.map((factor) => releaseWindowOf(model, factor).firstSession);
  const last = model.calendar.lastClosedAt(epochMsOf(model.parameters.end));
  const sessions = last - Math.min(...firsts) + 1;
  const total = sessions + FACTORS.length * model.parameters.hours;
  let done = 0;
  return (count) => onProgress({ done: done += count, total });
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

// Files of the same name would be replaced.
async function assertFree(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  if (names.length === 0 || names.includes("store.json")) return;
  throw new StorageError(
    `Cannot build a world in "${folder}": expected an empty folder or a world, got a folder with ` +
      `${names.slice(0, 3).join(", ")}; choose a folder of its own, such as demo({ folder: ` +
      '"world" })',
  );
}

function assertSameWorld(store: Store, parameters: WorldParameters): void {
  const required = JSON.stringify(parameters);
  const found = store.info.kind === "world"
    ? JSON.stringify(store.info.origin)
    : "a recording of a service";
  if (required === found) return;
  throw new StorageError(
    `Cannot build the world in "${store.path}": expected an empty folder or ${required}, got ` +
      `${found}; choose another folder, or open what is there with openStore()`,
  );
}

async function writeAllHours(
  store: Store,
  model: WorldModel,
  onHours: (count: number) => void,
): Promise<void> {
  const plan = hoursPlanOf(model);
  if (model.parameters.hours <= MOST_FILES_HOURS) await completeHours(store, plan, onHours);
  // Archives of checks are written last.
  else if (!await hasArchives(store)) await writeHours(store.path, plan, onHours);
}

async function hasArchives(store: Store): Promise<boolean> {
  const paths = FACTORS.map((factor) => join(store.path, LAYOUT.checks(factor), ARCHIVE_FILE));
  return (await Promise.all(paths.map(isThere))).every((found) => found);
}
