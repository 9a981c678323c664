import type { Buffer } from "node:buffer";

/** Random access to the bytes of an archive. */
export interface ArchiveBytes {
  /** Their number. */
  readonly sizeBytes: number;
  /** Reads `count` bytes from `start`; fewer at the end of the archive. */
  read(start: number, count: number): Promise<Buffer>;
}
