import type { GrowthRange } from "./log_axis.ts";

const LABEL_PX = 10;

/** A line that ends at a value. */
export interface LineEnd {
  readonly label: string;
  readonly value: number;
}

/** Ascending places of labels, moved up from the lowest, then down from the top, until they are a gap apart and the highest is within. */
export function moveApart(places: readonly number[], gap: number, top: number): readonly number[] {
  const moved = [...places];
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, moved[i - 1]! + gap);
  let ceiling = top;
  for (let i = moved.length - 1; i >= 0; i--) {
    moved[i] = Math.min(moved[i]!, ceiling);
    ceiling = moved[i]! - gap;
  }
  return moved;
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
  return moveApart(places, LABEL_PX, heightPx)
    .map((place, i) => ({ ...sorted[i]!, at: value(scaled(low) + place * perPixel) }));
}
