import type { ChartSpec } from "../chart_spec.ts";

const GAP_PX = 60;

/** The width of each of some pictures beside each other, with room for their axes. */
export function panelWidth(widthPx: number, count: number): number {
  return Math.floor((widthPx - GAP_PX * (count - 1)) / count);
}

/** The name of a picture above it. A title would stand as high as the highest label of its axis, in each picture elsewhere. */
export function panelName(text: string): ChartSpec {
  return {
    data: { values: [{}] },
    mark: { type: "text", text, fontWeight: "bold", fontSize: 11, y: -12 },
  };
}
