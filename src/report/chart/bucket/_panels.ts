import type { ChartSpec } from "../chart_spec.ts";

const GAP_PX = 60;

/** Width of each of several panels in a row, with room for their axes. */
export function panelWidth(widthPx: number, count: number): number {
  return Math.floor((widthPx - GAP_PX * (count - 1)) / count);
}

/** Name above a panel. A title would stand at the height of the highest axis label, which differs between panels. */
export function panelName(text: string): ChartSpec {
  return {
    data: { values: [{}] },
    mark: { type: "text", text, fontWeight: "bold", fontSize: 11, y: -12 },
  };
}
