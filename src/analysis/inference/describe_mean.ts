import { pPhrase } from "../../notebook/p_text.ts";
import { countText, decimalText, numberText } from "./number_text.ts";
import type { TestedMean } from "./tested_mean.ts";

/** What a sentence about a test names. */
export interface TestSubject {
  /** What the mean is of, such as `mean IC`. */
  readonly what: string;
  /** How many sessions a window spans. */
  readonly horizon: number;
}

/**
 * Says in words what a test found, with its observations: the mean with its interval, and the mean that the sample could
 * have found. Where the sample is too short it says how much is missing, and states no significance.
 */
export function describeMean(test: TestedMean, { what, horizon }: TestSubject): string {
  const head = `${countText(horizon, "session")}: `;
  if (test.mean === null) return `${head}no value.`;
  const found = `${what} ${numberText(test.mean)} over ${countText(test.n, "session")}`;
  if (test.reason === "too_few_windows") return `${head}${found}. ${whatIsMissing(test)}`;
  if (test.t === null) {
    return `${head}${found}. Its variance cannot be estimated; no test is stated.`;
  }
  const interval = `95 %: ${numberText(test.low!)} to ${numberText(test.high!)}`;
  const note = test.note === null ? "" : ` ${test.note[0]!.toUpperCase()}${test.note.slice(1)}.`;
  return `${head}${found} (${interval}; ${describeRatio(test)}). ${whatItFinds(test, what)}${note}`;
}

/** `t = 1.90 with 5 degrees of freedom, p = 0.12`, as far as there are these. */
export function describeRatio({ t, df, p }: TestedMean): string {
  if (t === null || p === null) return "no test";
  const degrees = df === null ? "" : ` with ${countText(df, "degree")} of freedom`;
  return `t = ${decimalText(t, 2)}${degrees}, ${pPhrase(p)}`;
}

function whatIsMissing({ n, overlap, windows }: TestedMean): string {
  const required = Math.max(20, 10 * overlap);
  const least = overlap === 1
    ? `A test needs ${countText(required, "session")}.`
    : `These hold ${windows.toFixed(1)} windows that do not overlap; a test needs ` +
      `${
        required / overlap === 10 ? "10" : (required / overlap).toFixed(1)
      } (${required} sessions).`;
  return n === 0 ? least : `${least} No significance is stated.`;
}

function whatItFinds({ detectable }: TestedMean, what: string): string {
  return `This sample would have found, four times in five, a ${what} of ${
    numberText(detectable!)
  } or more.`;
}
