import type { CompressedFacts, GunzipOptions, InflatedPart } from "./_gunzip_parts.ts";

/** What the inflating thread is told. */
export type ToInflater =
  | { readonly kind: "start"; readonly path: string | null; readonly options: GunzipOptions }
  | { readonly kind: "chunk"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" }
  | { readonly kind: "free"; readonly buffer: ArrayBuffer };

/** What the inflating thread tells. */
export type FromInflater =
  | { readonly kind: "part"; readonly part: InflatedPart }
  | { readonly kind: "consumed"; readonly bytes: number }
  | { readonly kind: "done"; readonly facts: CompressedFacts }
  | { readonly kind: "failed"; readonly message: string };
