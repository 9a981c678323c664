import { StorageError } from "../../base/errors.ts";
import { Store } from "../../base/store/store.ts";
import { assertFolder } from "../../base/arguments/assert_folder_path.ts";
import { readTruth } from "./truth/truth_file.ts";
import { toWorld } from "./to_world.ts";
import type { World } from "./world.ts";
import { makeWorldModel } from "./world_model.ts";
import { toWorldParameters, type WorldOptions } from "./world_options.ts";

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
