import { dirname } from "node:path";
import { FolderListing, type ListingOptions } from "./folder_listing.ts";

/**
 * Cached listings of folders. Reading and parsing names takes two to five milliseconds per thousand; the folder's
 * modification time shows if they changed, and what this process writes is added without reading.
 */
export class FolderListings<Entry> {
  readonly #options: ListingOptions<Entry>;
  readonly #known = new Map<string, FolderListing<Entry>>();

  /** @param options Form and order of the entries */
  constructor(options: ListingOptions<Entry>) {
    this.#options = options;
  }

  /**
   * Entries of a folder; empty if it does not exist.
   *
   * The listing of a large folder into which this process just wrote may lack files that another process added at the
   * same moment; it is read again beside the requests, within some seconds.
   */
  list(path: string): Promise<readonly Entry[]> {
    return this.#of(path).list();
  }

  /** Entries of a folder, read anew. */
  listAnew(path: string): Promise<readonly Entry[]> {
    this.#known.delete(path);
    return this.list(path);
  }

  /**
   * Runs a function that may write a new file into a folder.
   *
   * @param path Path of the file
   * @param write Returns `true` if it wrote the file
   */
  adding(path: string, write: () => Promise<boolean>): Promise<boolean> {
    return this.#of(dirname(path)).adding(path, write);
  }

  #of(path: string): FolderListing<Entry> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const listing = new FolderListing(path, this.#options);
    this.#known.set(path, listing);
    return listing;
  }
}
