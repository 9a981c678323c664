const LABEL_PX = 10;

/** A line that ends at a value. */
export interface LineEnd {
  readonly label: string;
  readonly value: number;
}

/**
 * Positions of labels at the ends of lines on a logarithmic axis: at the values, moved apart where they would
 * overlap.
 *
 * @param range The least and the largest value of the axis, and its height in pixels
 */
export function placeLabels(
  ends: readonly LineEnd[],
  range: { readonly low: number; readonly high: number; readonly heightPx: number },
): readonly (LineEnd & { readonly at: number })[] {
  const perPixel = Math.log(range.high / range.low) / range.heightPx;
  const sorted = ends.toSorted((a, b) => a.value - b.value);
  if (!(perPixel > 0)) return sorted.map((end) => ({ ...end, at: end.value }));
  const places = sorted.map(({ value }) => Math.log(value / range.low) / perPixel);
  // Moves labels up from the lowest, then down from the top, so that the highest stays within the picture.
  for (let i = 1; i < places.length; i++) {
    places[i] = Math.max(places[i]!, places[i - 1]! + LABEL_PX);
  }
  let ceiling = range.heightPx;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i]!, ceiling);
    ceiling = places[i]! - LABEL_PX;
  }
  return sorted.map((end, i) => ({ ...end, at: range.low * Math.exp(places[i]! * perPixel) }));
}
