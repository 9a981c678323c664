const KEY = /svc_(?:live|test)_[^&\s]*/g;

/** Text of a request line with whatever looks like a key masked; the parameters behind it stay readable. */
export function maskUrlKeys(text: string): string {
  return text.replaceAll(KEY, "svc_…");
}
