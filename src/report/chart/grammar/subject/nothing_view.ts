import type { ChartSpec } from "../../chart_spec.ts";
import { wrapSubtitle } from "../../lay_out_spec.ts";

const LINE_PX = 15;

/** View that replaces empty axes by a note that there is nothing to draw, and why if no title says it. */
export function nothingView(reason: string, widthPx: number): ChartSpec {
  const note = reason === "" ? "Nothing to draw" : `Nothing to draw: ${reason}`;
  const text = wrapSubtitle(note, 0.9 * widthPx);
  return {
    width: widthPx,
    height: 15 + LINE_PX * text.length,
    data: { values: [{}] },
    mark: {
      type: "text",
      text: text.length === 1 ? text[0]! : text,
      fontSize: 12,
      lineHeight: LINE_PX,
      align: "left",
      x: 0,
    },
  };
}
