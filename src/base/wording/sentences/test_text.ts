import { countText, decimalText, intervalText, pPhrase } from "../number_text.ts";

const LEAST_SESSIONS = 20;
const LEAST_WINDOWS = 10;

/** A t value with its p value. */
export interface TestRatio {
  readonly t: number | null;
  readonly df: number | null;
  readonly p: number | null;
}

/** The test of a mean. */
export interface MeanFound extends TestRatio {
  /** Name of the mean, as `mean rank IC`. */
  readonly what: string;
  readonly horizon: number;
  /** Name of a period: session, month. @default "session" */
  readonly unit?: string | undefined;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  /** Maximum number of windows that cover one session. */
  readonly overlap: number;
  /** Number of non-overlapping windows. */
  readonly windows: number;
  readonly reason: string | null;
}

/**
 * A mean and its test in a sentence without a full stop, or why there is no test.
 *
 * @param textOf Format of the mean and its interval
 */
export function meanText(found: MeanFound, textOf: (value: number) => string): string {
  const { what, horizon, unit = "session", mean, low, high, n, overlap, windows, reason } = found;
  const said = `The ${what} at ${countText(horizon, unit)} is ${textOf(mean)}`;
  const apart = overlap === 1 ? "" : `, ${decimalText(windows, 1)} non-overlapping windows`;
  const over = `${countText(n, unit)}${apart}`;
  if (found.t === null && reason === "no_variance") {
    return `${said} (${over}; no test, because the values do not vary)`;
  }
  if (found.t === null || low === null || high === null) {
    const least = overlap === 1 ? LEAST_SESSIONS : LEAST_WINDOWS;
    return `${said} (${over}; a test requires ${least})`;
  }
  const zero = low <= 0 && high >= 0 ? ", which includes zero" : "";
  return `${said} (${intervalText([low, high], textOf)}${zero}; ${ratioText(found)}; ${over})`;
}

/** `t = 1.90 with 5 degrees of freedom, p = 0.12`; without a test, `no test`. */
export function ratioText({ t, df, p }: TestRatio): string {
  if (t === null || p === null) return "no test";
  const degrees = df === null ? "" : ` with ${countText(df, "degree")} of freedom`;
  return `t = ${decimalText(t, 2)}${degrees}, ${pPhrase(p)}`;
}

/** The minimum detectable effect: `The minimum detectable mean IC at 80% power is 0.021`. */
export function detectableText(detectable: string, what = "mean IC"): string {
  return `The minimum detectable ${what} at 80% power is ${detectable}`;
}

/** A joint test of equal means: `test of equal means across years gives p = 0.27`. */
export function equalMeansText(parts: string, p: number): string {
  return `test of equal means across ${parts} gives ${pPhrase(p)}`;
}
