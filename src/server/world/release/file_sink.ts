import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { writeFully } from "../../../base/disk/write_fully.ts";

/** A file that is written from start to end and hashed on the way. */
export class FileSink {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #hash = createHash("sha256");
  #sizeBytes = 0;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens a file that must not exist. */
  static async open(path: string): Promise<FileSink> {
    return new FileSink(await open(path, "wx"), path);
  }

  /** Appends bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#sizeBytes += bytes.length;
    await writeFully(this.#handle, { path: this.#path, bytes });
  }

  /** Closes the file and returns facts about its content. */
  async close(): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
    await this.#handle.close();
    return { sha256: this.#hash.digest("hex"), sizeBytes: this.#sizeBytes };
  }

  /** Closes the file without finishing it. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
  }
}
