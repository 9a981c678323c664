import { Buffer } from "node:buffer";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { assertNoKey, publishFile, temporaryPath } from "../../disk/files.ts";
import { writeFullySync } from "../../disk/write_fully.ts";
import { BLOCK, encodeTarHeader } from "./_tar_header.ts";

const BUFFER_BYTES = 1 << 20;

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
