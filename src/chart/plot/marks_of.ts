import type { ChartSpec } from "../chart_spec.ts";
import { MAIN_COLOR } from "../grammar/palette.ts";
import type { Row } from "../grammar/values.ts";

/** What of a picture its marks are drawn by. */
export interface MarkPlan {
  readonly mark?: string;
  readonly color?: string;
}

/**
 * The mark of the rows; a line has points where it is none.
 *
 * @param alone The rows that a line does not show
 * @param zooming Parameters of the mark
 */
export function marksOf(
  alone: readonly Row[],
  { mark = "point", color }: MarkPlan,
  zooming: ChartSpec,
): ChartSpec {
  const paint = color === undefined ? { color: MAIN_COLOR } : {};
  const dots = { filled: true, size: 24 };
  const drawn = {
    ...zooming,
    mark: { type: mark, ...(mark === "point" && { ...dots, opacity: 0.7 }), ...paint },
  };
  if (alone.length === 0) return drawn;
  return {
    layer: [drawn, { data: { values: alone }, mark: { type: "point", ...dots, ...paint } }],
  };
}
