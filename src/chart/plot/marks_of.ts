import type { ChartSpec } from "../chart_spec.ts";
import { MAIN_COLOR } from "../grammar/palette.ts";
import type { Row } from "../grammar/values.ts";
import { type LineColumns, lonePoints } from "./lone_points.ts";

/**
 * The mark of the rows; a line has points where it is none.
 *
 * @param zooming Parameters of the mark
 */
export function marksOf(
  rows: readonly Row[],
  { x, y, color, mark = "point" }: LineColumns & { readonly mark?: string },
  zooming: ChartSpec,
): ChartSpec {
  const paint = color === undefined ? { color: MAIN_COLOR } : {};
  const dots = { filled: true, size: 24 };
  const drawn = {
    ...zooming,
    mark: { type: mark, ...(mark === "point" && { ...dots, opacity: 0.7 }), ...paint },
  };
  const alone = mark === "line" ? lonePoints(rows, { x, y, color }) : [];
  if (alone.length === 0) return drawn;
  return {
    layer: [drawn, { data: { values: alone }, mark: { type: "point", ...dots, ...paint } }],
  };
}
