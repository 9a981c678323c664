import { countText, decimalText, numberText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { detectableText, meanText } from "../../base/wording/sentences/test_text.ts";
import type { TestedMean } from "./tested_mean.ts";

const IC_DECIMALS = 3;

/** Subject of a sentence about a test. */
export interface TestSubject {
  /** Name of the mean, such as `mean IC`. */
  readonly what: string;
  /** Number of sessions of a window. */
  readonly horizon: number;
  /**
   * Name of one period of the series: session, month.
   *
   * @default "session"
   */
  readonly unit?: string;
}

/**
 * Describes the test of a mean in words: the mean with its interval and its observations, and the minimum detectable mean. Where
 * the sample is too short for a test, it states the required size.
 */
export function describeMean(test: TestedMean, subject: TestSubject): string {
  return periodText(sentences(test, subject), subject.unit ?? "session");
}

function sentences(test: TestedMean, { what, horizon }: TestSubject): string {
  const { mean, detectable, note } = test;
  if (mean === null) return `There is no ${what} at ${countText(horizon, "session")}.`;
  const textOf = (value: number) =>
    /\bIC\b/.test(what) ? decimalText(value, IC_DECIMALS) : numberText(value);
  const found = `${meanText({ ...test, what, horizon, mean }, textOf)}.`;
  if (test.t === null || detectable === null) return found;
  const more = note === null ? "" : ` ${note[0]!.toUpperCase()}${note.slice(1)}.`;
  return `${found} ${detectableText(textOf(detectable), what)}.${more}`;
}
