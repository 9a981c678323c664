import type { GrowthRange } from "../grammar/log_axis.ts";

const LABEL_PX = 10;

/** A line that ends at a value. */
export interface LineEnd {
  readonly label: string;
  readonly value: number;
}

/** Positions of labels at the ends of lines on an axis of growth: at the values, moved apart where they would overlap. */
export function placeLabels(
  ends: readonly LineEnd[],
  { low, high, heightPx }: GrowthRange & { readonly heightPx: number },
): readonly (LineEnd & { readonly at: number })[] {
  const [scaled, value] = low > 0 ? [Math.log, Math.exp] : [(x: number) => x, (x: number) => x];
  const perPixel = (scaled(high) - scaled(low)) / heightPx;
  const sorted = ends.toSorted((a, b) => a.value - b.value);
  if (!(perPixel > 0)) return sorted.map((end) => ({ ...end, at: end.value }));
  const places = sorted.map((end) => (scaled(end.value) - scaled(low)) / perPixel);
  // Moves labels up from the lowest, then down from the top, so that the highest stays within the picture.
  for (let i = 1; i < places.length; i++) {
    places[i] = Math.max(places[i]!, places[i - 1]! + LABEL_PX);
  }
  let ceiling = heightPx;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i]!, ceiling);
    ceiling = places[i]! - LABEL_PX;
  }
  return sorted.map((end, i) => ({ ...end, at: value(scaled(low) + places[i]! * perPixel) }));
}
