import { DISPLAY, type MimeBundle } from "./display.ts";

/** Display of a value as text and in a notebook. */
export interface DisplayMethods {
  /** The value as text. */
  toString(): string;
  /** Display in a notebook. */
  [DISPLAY](): Promise<MimeBundle>;
}

/**
 * Adds displays for text, notebooks and terminals to a class; called in its static block.
 *
 * @param shown The class
 * @param view Display of a value
 */
export function displayAs<Shown extends object>(
  shown: { readonly prototype: Shown },
  view: (value: Shown) => DisplayMethods,
): void {
  const methods = {
    toString(this: Shown): string {
      return view(this).toString();
    },
    [DISPLAY](this: Shown): Promise<MimeBundle> {
      return view(this)[DISPLAY]();
    },
    [Symbol.for("Deno.customInspect")](this: Shown): string {
      return view(this).toString();
    },
  };
  for (const key of Reflect.ownKeys(methods)) {
    const value = Reflect.get(methods, key);
    Object.defineProperty(shown.prototype, key, { value, configurable: true, writable: true });
  }
}
