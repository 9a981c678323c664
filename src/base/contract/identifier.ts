const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SHA256 = /^[0-9a-f]{64}$/i;

/** Length of the longest ticker in the `ticker` parameter (sections 4.3 and 8). */
export const MAX_TICKER_LENGTH = 16;

/** Pattern of the `ticker` parameter (section 4.3). */
export const TICKER_PATTERN = /^[A-Z0-9.\-]+$/;

/** True if the value is a UUID in its usual text form, in either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && UUID.test(value);
}

/** True if the value is a SHA-256 digest in 64 hexadecimal digits, in either case. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && SHA256.test(value);
}

/** True if the text is a valid ticker for the API. */
export function isTicker(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TICKER_LENGTH &&
    TICKER_PATTERN.test(value);
}
