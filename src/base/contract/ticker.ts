/** Length of the longest ticker in the `ticker` parameter (sections 4.3 and 8). */
export const MAX_TICKER_LENGTH = 16;

/** Pattern of the `ticker` parameter (section 4.3). */
export const TICKER_PATTERN = /^[A-Z0-9.\-]+$/;

/** True if the text is a valid ticker for the API. */
export function isTicker(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TICKER_LENGTH &&
    TICKER_PATTERN.test(value);
}
