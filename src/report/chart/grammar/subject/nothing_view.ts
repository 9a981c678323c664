import type { ChartSpec } from "../../chart_spec.ts";

/** View that replaces empty axes by a note that there is nothing to draw, and why. */
export function nothingView(reason: string, widthPx: number): ChartSpec {
  return {
    width: widthPx,
    height: 60,
    data: { values: [{}] },
    mark: { type: "text", text: `Nothing to draw: ${reason}`, fontSize: 12, align: "left", x: 0 },
  };
}
