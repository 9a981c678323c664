import type { GunzipFacts, GunzipOptions } from "./gunzip_parts.ts";

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

/** A queue whose reader waits while it is empty. */
export class Mailbox<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | null = null;

  /** Appends an item. */
  put(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
    this.#wake = null;
  }

  /** Takes the first item; only one reader may wait at a time. */
  async take(): Promise<Item> {
    while (this.#items.length === 0) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#items.shift()!;
  }
}
