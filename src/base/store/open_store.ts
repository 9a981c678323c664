import { Store } from "./store.ts";
import type { StoreInfo } from "./store_info.ts";
import type { StoreReader } from "./store_reader.ts";
import { refuseAddress } from "../arguments/refuse_address.ts";

/**
 * Opens the store in a folder: a client's recording (`api.store`), or a world.
 *
 * @param path Folder of the store
 * @throws {StorageError} If the folder is not a store, has another version, or cannot be read
 */
export async function openStore(path: string): Promise<StoreReader> {
  refuseAddress("open a store", path);
  return await Store.open(path);
}

/**
 * Opens the store in a folder, and creates it if needed, for example for your own scores.
 *
 * @param path Folder of the store
 * @param info Description of a new store, which states if its numbers are synthetic
 * @throws {StorageError} If the folder cannot be created or written, or is a store of another version
 */
export async function createStore(path: string, info: StoreInfo): Promise<StoreReader> {
  refuseAddress("make a store", path);
  return await Store.create(path, info);
}
