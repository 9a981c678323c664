import { basename, dirname, join } from "node:path";
import { ARCHIVE_FILE } from "../layout.ts";
import { FileArchive } from "./file_archive.ts";

/** The archives of a store, each of which holds files of its folder. */
export class ArchivedFiles {
  readonly #storePath: string;
  readonly #archives = new Map<string, FileArchive>();

  /** @param storePath Folder of the store */
  constructor(storePath: string) {
    this.#storePath = storePath;
  }

  /**
   * Names of the files in the archive of a folder; empty without an archive.
   *
   * @throws {IntegrityError} If the archive is damaged
   */
  names(folder: string): readonly string[] {
    return this.#archiveOf(folder)?.names() ?? [];
  }

  /** Tests if the archive of its folder has a file; the path is relative to the store. */
  has(relative: string): boolean {
    return this.#archiveOf(dirname(relative))?.has(basename(relative)) ?? false;
  }

  /**
   * Content of a file in the archive of its folder, or `null`.
   *
   * @param relative Path of the file, relative to the store's folder
   */
  async read(relative: string): Promise<Uint8Array | null> {
    return await this.#archiveOf(dirname(relative))?.read(basename(relative)) ?? null;
  }

  // An archive never changes, but a missing one may be written later.
  #archiveOf(folder: string): FileArchive | null {
    const known = this.#archives.get(folder);
    if (known !== undefined) return known;
    const archive = FileArchive.open(join(this.#storePath, folder, ARCHIVE_FILE));
    if (archive !== null) this.#archives.set(folder, archive);
    return archive;
  }
}
