import { Store } from "./store.ts";
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
