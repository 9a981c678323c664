import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import type { SessionSeries } from "../../inference/session_series.ts";

const LEAST = 20;
// A year's volatility of 222%: no portfolio has it, and of percent taken for shares all that have 2.22% or more.
const LARGEST_MEDIAN = 1.5;
const DAYS_A_YEAR = 365.25;
// Of a normal distribution the median of absolute values is so many standard deviations.
const MEDIAN_DEVIATIONS = 0.6745;

/**
 * Gives a notice where returns are so large that they are in percent: where the median of their absolute values, times the root of their number a
 * year, is above 1.5.
 */
export function sayPercent({ days, values }: SessionSeries): void {
  const sizes = values.filter((value) => !Number.isNaN(value)).map(Math.abs).sort();
  if (sizes.length < LEAST) return;
  const median = sizes[Math.floor((sizes.length - 1) / 2)]!;
  const years = (days.at(-1)! - days[0]!) / DAYS_A_YEAR;
  const annual = median * Math.sqrt((days.length - 1) / years);
  if (!(annual > LARGEST_MEDIAN)) return;
  sayNotice(
    `Half of the ${countText(sizes.length, "return")} are beyond ±${percentText(median)}, a ` +
      `volatility of about ${percentText(annual / MEDIAN_DEVIATIONS, 0)} a year; returns are ` +
      "shares, 0.01 is one percent: divide those in percent by 100",
  );
}
