import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { writeFully } from "../../../base/disk/files.ts";

/** Receives chunks of bytes, and owns them from then on. */
export type ChunkSink = (chunk: Uint8Array) => Promise<void> | void;

const CHUNK_BYTES = 1 << 20;
// No field of a line is longer.
const RESERVE_BYTES = 64;
const ZERO = 48;
const DOT = 46;

/** Collects ASCII text into large chunks, at a third of the cost of strings. */
export class ByteWriter {
  #chunk = new Uint8Array(CHUNK_BYTES);
  #length = 0;

  /** True if the chunk is large enough for {@link ByteWriter.take}. */
  get isFull(): boolean {
    return this.#length > CHUNK_BYTES - 4 * RESERVE_BYTES;
  }

  /** Appends ASCII bytes, at most 64. */
  bytes(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) this.#chunk[this.#length++] = bytes[i]!;
  }

  /** Appends one character code. */
  code(code: number): void {
    this.#chunk[this.#length++] = code;
  }

  /** Appends a number from 0 to 1, given in millionths, as JavaScript would print it. */
  fraction(millionths: number): void {
    if (millionths === 0 || millionths === 1_000_000) {
      this.code(millionths === 0 ? ZERO : ZERO + 1);
      return;
    }
    let digits = 6;
    let rest = millionths;
    for (; rest % 10 === 0; rest /= 10) digits--;
    this.code(ZERO);
    this.code(DOT);
    this.#digits(rest, digits);
  }

  /** Appends a whole number. */
  whole(value: number): void {
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    this.#digits(value, digits);
  }

  /** Appends a number given in ten-thousandths, with four decimals. */
  decimal(tenThousandths: number): void {
    const whole = Math.floor(tenThousandths / 10_000);
    this.whole(whole);
    this.code(DOT);
    this.#digits(tenThousandths - whole * 10_000, 4);
  }

  /** Returns the bytes appended so far and starts a new chunk. */
  take(): Uint8Array {
    const taken = this.#chunk.subarray(0, this.#length);
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#length = 0;
    return taken;
  }

  #digits(value: number, count: number): void {
    let rest = value;
    for (let i = this.#length + count - 1; i >= this.#length; i--) {
      const next = Math.floor(rest / 10);
      this.#chunk[i] = ZERO + rest - next * 10;
      rest = next;
    }
    this.#length += count;
  }
}

/** A file that is written from start to end and hashed on the way. */
export type FileSink = Awaited<ReturnType<typeof openFileSink>>;

/** Opens a file that must not exist. */
export async function openFileSink(path: string) {
  const handle = await open(path, "wx");
  const hash = createHash("sha256");
  let sizeBytes = 0;
  return {
    /** Appends bytes. */
    async write(bytes: Uint8Array): Promise<void> {
      hash.update(bytes);
      sizeBytes += bytes.length;
      await writeFully(handle, { path, bytes });
    },
    /** Closes the file and returns facts about its content. */
    async close(): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
      await handle.close();
      return { sha256: hash.digest("hex"), sizeBytes };
    },
    /** Closes the file without finishing it. */
    abandon: () => handle.close().catch(() => {}),
  };
}
