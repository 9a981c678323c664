/**
 * True if the interval of a half-life includes every lag of the fit. Such data cannot distinguish an IC that is gone after
 * the first lag from one that lasts beyond the last, so the half-life is not identified.
 */
export function holdsEveryLag(
  low: number | null,
  high: number | null,
  lags: readonly number[],
): boolean {
  return lags.length > 1 && low !== null && high !== null && low <= Math.min(...lags) &&
    high >= Math.max(...lags);
}
