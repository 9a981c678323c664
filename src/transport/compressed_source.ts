import type { GunzipOptions } from "./_gunzip_parts.ts";

/** Where compressed bytes come from: a file, or a transfer whose size may be known. */
export type CompressedSource =
  | { readonly path: string }
  | { readonly chunks: AsyncIterable<Uint8Array>; readonly sizeBytes: number | null };

/** How a compressed file is inflated. */
export interface InflateOptions extends GunzipOptions {
  /** Cancels the work. */
  readonly signal?: AbortSignal | undefined;
}
