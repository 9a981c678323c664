import type { GunzipFacts, GunzipOptions } from "./_gunzip_parts.ts";

/** Message to the inflating thread. */
export type ToInflater =
  | { readonly kind: "start"; readonly options: GunzipOptions }
  | { readonly kind: "chunk"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "end" }
  | { readonly kind: "parsed" };

/** Message of the inflating thread. */
export type FromInflater =
  | { readonly kind: "part"; readonly part: Uint8Array<ArrayBuffer> }
  | { readonly kind: "consumed"; readonly bytes: number }
  | { readonly kind: "done"; readonly facts: GunzipFacts }
  | { readonly kind: "failed"; readonly message: string };
