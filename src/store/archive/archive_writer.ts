import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../../errors.ts";
import { assertNoKey, publishFile, temporaryPath } from "../disk/files.ts";
import { BLOCK, encodeTarHeader } from "./_tar_header.ts";

const BUFFER_BYTES = 1 << 20;

/**
 * Writes many small text files as one archive, which appears complete under its name or not at all.
 *
 * It writes synchronously and flushes nothing to the disk: it is for what can be made again.
 */
export class ArchiveWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #isOpen = true;

  /** @param path Path of the archive; its folder is made if it does not exist */
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
   * @returns Whether the name was free; an archive that exists is left alone
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

  /** Leaves nothing behind of an unfinished archive. */
  discard(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
  }

  #flush(): void {
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    this.#bytes = 0;
    // A full disk can shorten a write without an error.
    for (let offset = 0; offset < bytes.length;) {
      const written = writeSync(this.#file, bytes, offset, bytes.length - offset);
      if (written === 0) {
        throw new StorageError(
          `Cannot write ${this.#path}: the disk takes no more bytes; free some space`,
        );
      }
      offset += written;
    }
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
