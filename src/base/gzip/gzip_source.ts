import type { GunzipOptions } from "./_gunzip_parts.ts";

/**
 * Source of compressed bytes: a file, or a transfer whose size may be known. The chunks of a transfer are taken
 * over with their memory, which nothing else may use.
 */
export type GzipSource =
  | { readonly path: string }
  | { readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>; readonly sizeBytes: number | null };

/** Options of inflating a compressed file. */
export interface InflateOptions extends GunzipOptions {
  /** Cancels the work. */
  readonly signal?: AbortSignal | undefined;
}
