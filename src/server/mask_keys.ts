const KEY = /svc_(?:live|test)_[^&\s]*/g;

/** A client's text with whatever looks like a key masked: no key is ever to be in a URL, but one may be. */
export function maskKeys(text: string): string {
  return text.replaceAll(KEY, "svc_…");
}
