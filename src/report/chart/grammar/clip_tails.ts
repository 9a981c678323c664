import { quantileOfSorted } from "../../../base/statistics/moments.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";

// Half a percent at each end.
const TAIL = 0.005;
// Tails that take a smaller share of the axis are drawn.
const MOST_STRETCH = 1.25;

/** Values that a histogram shows, and numbers of values below and above its range. */
export interface ClippedValues {
  readonly drawn: readonly number[];
  readonly outside: number;
  /** Sentence on the values outside the axis; none if all are drawn. */
  readonly said: readonly string[];
}

/**
 * Values between their 0.5% and 99.5% quantiles if the tails would take a fifth of the axis or more, all values
 * otherwise: a single
 * value of 10¹² would leave one bar.
 */
export function clipTails(
  values: readonly number[],
  noun: string,
  mostStretch = MOST_STRETCH,
): ClippedValues {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [TAIL, 1 - TAIL].map((share) => quantileOfSorted(sorted, share)) as [
    number,
    number,
  ];
  const range = sorted.at(-1)! - sorted[0]!;
  const isStretched = high > low && range > mostStretch * (high - low);
  const drawn = isStretched ? values.filter((value) => value >= low && value <= high) : values;
  const outside = values.length - drawn.length;
  const said = outside === 0 ? [] : [
    `${groupThousands(outside)} of ${countText(values.length, noun)} ` +
    `${outside === 1 ? "lies" : "lie"} beyond the axis`,
  ];
  return { drawn, outside, said };
}
