import { basename, dirname, join } from "node:path";
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { ARCHIVE_FILE } from "./layout.ts";
import { IntegrityError } from "../errors.ts";
import {
  assertNoKey,
  assertRegular,
  publishFile,
  temporaryPath,
  writeFullySync,
} from "../disk/files.ts";

/** Size of a header, and of the blocks to which contents are padded. */
const BLOCK = 512;

const BLANK = 32;
const NAME_LENGTH = 100;
const CHECKSUM = { at: 148, length: 8 } as const;
const SIZE = { at: 124, length: 12 } as const;

const BUFFER_BYTES = 1 << 20;

/** The archives of a store, each of which holds files of its folder; contents are read on demand. */
export class ArchivedFiles {
  readonly #storePath: string;
  readonly #archives = new Map<string, Places>();

  /** @param storePath Folder of the store */
  constructor(storePath: string) {
    this.#storePath = storePath;
  }

  /**
   * Names of the files in the archive of a folder, in its order; empty without an archive.
   *
   * @throws {IntegrityError} If the archive is damaged
   */
  names(folder: string): readonly string[] {
    return [...this.#placesIn(folder).keys()];
  }

  /** Tests if the archive of its folder has a file; the path is relative to the store. */
  has(relative: string): boolean {
    return this.#placesIn(dirname(relative)).has(basename(relative));
  }

  /**
   * Content of a file in the archive of its folder, or `null`.
   *
   * @param relative Path of the file, relative to the store's folder
   */
  async read(relative: string): Promise<Uint8Array | null> {
    const [folder, name] = [dirname(relative), basename(relative)];
    const place = this.#placesIn(folder).get(name);
    if (place === undefined) return null;
    const path = join(this.#storePath, folder, ARCHIVE_FILE);
    await using file = await open(path, "r");
    const bytes = new Uint8Array(place.size);
    const { bytesRead } = await file.read(bytes, 0, place.size, place.at);
    if (bytesRead === place.size) return bytes;
    throw new IntegrityError(
      `Cannot read ${name} in ${path}: expected ${place.size} bytes, got ${bytesRead}; verify the store`,
    );
  }

  // An archive never changes, but a missing one may be written later.
  #placesIn(folder: string): Places {
    const known = this.#archives.get(folder);
    if (known !== undefined) return known;
    const places = readArchive(join(this.#storePath, folder, ARCHIVE_FILE));
    if (places !== NONE) this.#archives.set(folder, places);
    return places;
  }
}

/** Places of the files in an archive by name, in its order. */
type Places = ReadonlyMap<string, { readonly at: number; readonly size: number }>;

const NONE: Places = new Map();

// Reads the headers, which takes some microseconds each.
function readArchive(path: string): Places {
  // Most folders have none: the error of a missing file takes 13 µs for each set that is read, and this question 0.5.
  if (!existsSync(path)) return NONE;
  assertRegular(path);
  const file = openSync(path, "r");
  try {
    return readPlaces(file, path);
  } finally {
    closeSync(file);
  }
}

function readPlaces(file: number, path: string): Places {
  const places = new Map<string, { readonly at: number; readonly size: number }>();
  const header = new Uint8Array(BLOCK);
  const { size: archiveSize } = fstatSync(file);
  for (let at = 0; at + BLOCK <= archiveSize;) {
    readSync(file, header, 0, BLOCK, at);
    const entry = decodeTarHeader(header, path);
    if (entry === null) return places;
    places.set(entry.name, { at: at + BLOCK, size: entry.size });
    at += BLOCK + Math.ceil(entry.size / BLOCK) * BLOCK;
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected the end of a tar archive, got ${archiveSize} bytes without one; ` +
      "remove the archive, and build the world again",
  );
}

/**
 * Writes many small text files as one archive, which appears under its name complete or not at all.
 *
 * It writes synchronously and without flushing, for data that can be generated again.
 */
export class ArchiveWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOpen = true;

  /** @param path Path of the archive; a missing folder is created */
  constructor(path: string) {
    mkdirSync(dirname(path), { recursive: true });
    this.#path = path;
    this.#temporary = temporaryPath(dirname(path));
    this.#file = openSync(this.#temporary, "wx");
  }

  /**
   * Appends a file; names must be distinct.
   *
   * @throws {IntegrityError} If the text holds something that looks like an API key
   */
  add(name: string, text: string): void {
    assertNoKey(`${this.#path}/${name}`, text);
    const content = new TextEncoder().encode(text);
    this.#push(encodeTarHeader({ name, size: content.length }));
    this.#push(content);
    this.#push(new Uint8Array((BLOCK - content.length % BLOCK) % BLOCK));
    if (this.#bytes >= BUFFER_BYTES) this.#flush();
  }

  /**
   * Finishes the archive and gives it its name.
   *
   * @returns `true` if the name was free; an existing archive is not changed
   */
  async finish(): Promise<boolean> {
    this.#push(new Uint8Array(2 * BLOCK));
    this.#flush();
    this.#close();
    try {
      return await publishFile(this.#temporary, this.#path, { durable: false });
    } finally {
      this.discard();
    }
  }

  /** Removes an unfinished archive. */
  discard(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#bytes = 0;
    writeFullySync(this.#file, { path: this.#path, bytes });
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}

/** Name and size of a file, from its header. */
interface TarEntry {
  /** Name of the file. */
  readonly name: string;
  /** Its length in bytes. */
  readonly size: number;
}

/**
 * The header of a file in a tar archive (POSIX.1-2017, pax, "ustar Interchange Format"): no owner and no time, so that
 * equal files give equal archives.
 */
function encodeTarHeader({ name, size }: TarEntry): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  if (name.length > NAME_LENGTH) {
    throw new RangeError(
      `Cannot archive ${name}: expected at most ${NAME_LENGTH} characters, got ${name.length}; use a shorter name`,
    );
  }
  put(0, name);
  put(100, "0000644\0" + "0000000\0" + "0000000\0");
  put(SIZE.at, `${size.toString(8).padStart(SIZE.length - 1, "0")}\0`);
  put(136, "00000000000\0");
  put(156, "0ustar\0" + "00");
  put(CHECKSUM.at, `${checksumOf(header).toString(8).padStart(6, "0")}\0 `);
  return header;
}

/**
 * Reads a header; `null` at the end of the archive.
 *
 * @throws {IntegrityError} If the header is malformed
 */
function decodeTarHeader(header: Uint8Array, path: string): TarEntry | null {
  if (header.every((byte) => byte === 0)) return null;
  const text = (at: number, length: number) =>
    new TextDecoder().decode(header.subarray(at, at + length)).split("\0")[0]!;
  const expected = checksumOf(header);
  const found = Number.parseInt(text(CHECKSUM.at, CHECKSUM.length), 8);
  if (expected === found) {
    return { name: text(0, NAME_LENGTH), size: Number.parseInt(text(SIZE.at, SIZE.length), 8) };
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected a tar header with the checksum ${expected}, got ${found}; ` +
      "remove the archive, and build the world again",
  );
}

/** The sum of all bytes, with blanks in place of the sum itself. */
function checksumOf(header: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    sum += i >= CHECKSUM.at && i < CHECKSUM.at + CHECKSUM.length ? BLANK : header[i]!;
  }
  return sum;
}
