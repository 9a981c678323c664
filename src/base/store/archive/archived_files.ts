import { basename, dirname, join } from "node:path";
import { ARCHIVE_FILE } from "../layout.ts";
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { IntegrityError } from "../../errors.ts";
import { assertRegular, isCode } from "../../disk/files.ts";
import { BLOCK, decodeTarHeader, type TarEntry } from "./_tar_header.ts";

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

interface Place {
  readonly at: number;
  readonly size: number;
}

/** The files of an archive by name; contents are read on demand. */
export class FileArchive {
  readonly #path: string;
  readonly #places: ReadonlyMap<string, Place>;

  private constructor(path: string, places: ReadonlyMap<string, Place>) {
    this.#path = path;
    this.#places = places;
  }

  /**
   * Reads the headers of an archive, which takes some microseconds each; `null` without an archive.
   *
   * @throws {IntegrityError} If the archive is incomplete
   */
  static open(path: string): FileArchive | null {
    // Most folders have none: the error of a missing file takes 13 µs for each set that is read, and this question 0.5.
    if (!existsSync(path)) return null;
    let file: number;
    try {
      assertRegular(path);
      file = openSync(path, "r");
    } catch (error) {
      if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
      throw error;
    }
    try {
      return new FileArchive(path, readPlaces(file, path));
    } finally {
      closeSync(file);
    }
  }

  /** Names of all files, in the order of the archive. */
  names(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** Tests if the archive has a file. */
  has(name: string): boolean {
    return this.#places.has(name);
  }

  /** Content of a file, or `null` if the archive lacks it. */
  async read(name: string): Promise<Uint8Array | null> {
    const place = this.#places.get(name);
    if (place === undefined) return null;
    await using file = await open(this.#path, "r");
    const bytes = new Uint8Array(place.size);
    const { bytesRead } = await file.read(bytes, 0, place.size, place.at);
    if (bytesRead === place.size) return bytes;
    throw new IntegrityError(
      `Cannot read ${name} in ${this.#path}: expected ${place.size} bytes, got ${bytesRead}; verify the store`,
    );
  }
}

function readPlaces(file: number, path: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const header = new Uint8Array(BLOCK);
  const { size: archiveSize } = fstatSync(file);
  for (let at = 0; at + BLOCK <= archiveSize;) {
    readSync(file, header, 0, BLOCK, at);
    const entry: TarEntry | null = decodeTarHeader(header, path);
    if (entry === null) return places;
    places.set(entry.name, { at: at + BLOCK, size: entry.size });
    at += BLOCK + Math.ceil(entry.size / BLOCK) * BLOCK;
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected the end of a tar archive, got ${archiveSize} bytes without one; ` +
      "remove the archive, and build the world again",
  );
}
