/** Environment that issued a key (section 5); a relay's keys have that of its service. */
export type KeyEnvironment = "production" | "sandbox";

/** Issuer of a key: the service itself, or a desk's relay. */
export type KeyIssuer = "service" | "relay";

// Visible ASCII without blanks, which an Authorization header can contain. For anything else the platform's Headers constructor
// would print the whole value in its error.
const KEY = /^(svc|relay)_(live|test)_[\x21-\x7e]+$/;

/** Pattern of text that looks like a key, for writers and logs that must refuse or mask it; ends with a JSON string. */
export const KEY_LIKE = /(?:svc|relay)_(?:live|test)_[!#-[\]-~]{8,}/;

const ANY_KEY = /(?:svc|relay)_(?:live|test)_[\x21-\x7e]+/g;

/** Masks everything in a text that could be a key. */
export function maskKeys(text: string): string {
  return text.replace(ANY_KEY, (found) => maskKey(found));
}

// In a URL a parameter ends the key, and a truncated key is masked as well.
const KEY_IN_URL = /(svc|relay)_(?:live|test)_[^&\s]*/g;

/** Masks a key in a request line; later parameters stay readable. */
export function maskUrlKeys(text: string): string {
  return text.replaceAll(KEY_IN_URL, "$1_…");
}

/** The environment of a key, or `null` if the text does not have the form of a key (section 5). */
export function keyEnvironmentOf(key: string): KeyEnvironment | null {
  const match = KEY.exec(key);
  if (match === null) return null;
  return match[2] === "live" ? "production" : "sandbox";
}

/** The issuer of a key, or `null` if the text does not have the form of a key. */
export function keyIssuerOf(key: string): KeyIssuer | null {
  const match = KEY.exec(key);
  if (match === null) return null;
  return match[1] === "svc" ? "service" : "relay";
}

/** The part of a key that may be shown: its environment and its last four characters. */
export function maskKey(key: string): string {
  const match = KEY.exec(key);
  if (match === null) return "(not a key)";
  const prefix = `${match[1]}_${match[2]}_`;
  const tail = key.length >= prefix.length + 12 ? key.slice(-4) : "";
  return `${prefix}…${tail}`;
}
