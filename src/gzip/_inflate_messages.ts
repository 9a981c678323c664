import type { CompressedFacts, GunzipOptions } from "./_gunzip_parts.ts";

/** Message to the inflating thread. */
export type ToInflater =
  | { readonly kind: "start"; readonly path: string | null; readonly options: GunzipOptions }
  | { readonly kind: "chunk"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" }
  | { readonly kind: "free"; readonly buffer: ArrayBuffer };

/** Message of the inflating thread. */
export type FromInflater =
  | { readonly kind: "part"; readonly buffer: ArrayBuffer; readonly length: number }
  | { readonly kind: "consumed"; readonly bytes: number }
  | { readonly kind: "done"; readonly facts: CompressedFacts }
  | { readonly kind: "failed"; readonly message: string };
