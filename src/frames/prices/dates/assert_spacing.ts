import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { FREQUENCIES, type Frequency, medianGap, seenFrequency } from "./frequency.ts";

const FEWEST = 2;

/**
 * Refuses dates whose spacing differs from the frequency: monthly closes taken as daily would be annualised with a factor 21
 * times too large.
 *
 * @param days The dates, ascending and distinct
 * @throws {RangeError} If they differ, with the observed spacing and the option for it
 */
export function assertSpacing(
  action: string,
  days: Int32Array,
  { frequency }: { readonly frequency: Frequency },
): void {
  if (days.length < FEWEST) return;
  const gap = medianGap(days);
  const [low, high] = FREQUENCIES[frequency].gap;
  if (gap >= low && gap <= high) return;
  const seen = seenFrequency(days);
  const dates = [...days.subarray(0, 3)].map(fromEpochDay).join(", ");
  const advice = seen === null
    ? "keep the dates of one frequency: daily, weekly, monthly, quarterly or yearly"
    : seen === "daily"
    ? `omit frequency, or keep the last close of each ${FREQUENCIES[frequency].unit}`
    : `use frequency: "${seen}" if these are ${seen} closes`;
  throw new RangeError(
    `Cannot ${action}: expected ${frequency} prices, got dates that are ${gap} ` +
      `${gap === 1 ? "day" : "days"} apart (${dates}${days.length > 3 ? ", …" : ""}); ${advice}`,
  );
}
