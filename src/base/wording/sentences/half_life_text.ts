import { countText, decimalText, intervalText } from "../number_text.ts";

/** A fitted half-life, or why there is none. */
export interface HalfLifeFound {
  /** In sessions; null or NaN if none was fitted. */
  readonly halfLife: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Interval of the fitted IC at the shortest lag. */
  readonly levelLow: number | null;
  readonly levelHigh: number | null;
  readonly sessions: number;
  readonly reason: string | null;
  /** The lags of the fit, as `lags 1 to 63`. */
  readonly lags: string;
  /** The same as numbers. */
  readonly reached: readonly number[];
  /** The shortest half-life of the grid. */
  readonly shortest: number;
}

/** The half-life of the IC in a sentence, or why none is estimated. */
export function halfLifeText(found: HalfLifeFound): string {
  const { halfLife, low, high, levelLow, levelHigh, sessions, reason, lags, shortest } = found;
  const over = countText(sessions, "session");
  if (halfLife !== null && holdsEveryLag(low, high, found.reached)) {
    return `The half-life of the IC is not determined, because its 95% CI includes all of ${lags} (${over}).`;
  }
  if (halfLife !== null && !Number.isNaN(halfLife)) {
    const textOf = (value: number) =>
      value < shortest ? `below ${shortest}` : halfLifeNumber(value);
    return `The half-life of the IC is ${halfLifeNumber(halfLife)} sessions ` +
      `(${intervalText([low, high], textOf)}), fitted to ${lags} (${over}).`;
  }
  switch (reason) {
    case "shorter_than_grid":
      return `The half-life of the IC is below ${shortest} sessions, the shortest that is fitted (${lags}, ${over}).`;
    case "no_relation":
      return "No half-life is estimated: the 95% CI of the IC fitted at lag " +
        `${Math.min(...found.reached)} includes zero (${decimalText(levelLow!, 3)} to ` +
        `${decimalText(levelHigh!, 3)}; ${lags}; ${over}).`;
    case "no_decay":
      return `No half-life is estimated, because the IC does not decay over ${lags} (${over}).`;
    default:
      return "No half-life is estimated, because a fit requires the ICs of 20 sessions at 3 lags.";
  }
}

/** A half-life as a number: one decimal below ten, none above. */
export function halfLifeNumber(sessions: number): string {
  return decimalText(sessions, sessions < 10 ? 1 : 0);
}

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
