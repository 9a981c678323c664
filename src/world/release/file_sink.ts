import { type FileHandle, open } from "node:fs/promises";
import { StorageError } from "../../errors.ts";
import { createHash } from "node:crypto";

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
    // A full disk can shorten a write without an error.
    for (let offset = 0; offset < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, offset, bytes.length - offset);
      if (bytesWritten === 0) {
        throw new StorageError(
          `Cannot write ${this.#path}: the disk takes no more bytes; free some space`,
        );
      }
      offset += bytesWritten;
    }
  }

  /** Closes the file and says what it holds. */
  async close(): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
    await this.#handle.close();
    return { sha256: this.#hash.digest("hex"), sizeBytes: this.#sizeBytes };
  }

  /** Closes the file, whatever it holds. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
  }
}
