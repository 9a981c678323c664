import type { ChartSpec } from "../../chart_spec.ts";

/** A view instead of axes without a mark: that there is nothing to draw, and the reason. */
export function nothingView(reason: string, widthPx: number): ChartSpec {
  return {
    width: widthPx,
    height: 60,
    data: { values: [{}] },
    mark: { type: "text", text: `Nothing to draw: ${reason}`, fontSize: 12, align: "left", x: 0 },
  };
}
