import type { ChartSpec } from "../chart_spec.ts";
import { textWidth } from "../font_widths.ts";
import { mark } from "../mark.ts";
import { numberIn, type Row, textIn } from "../grammar/values.ts";

const FONT_PX = 9;
const POINT_PX = 3;
// A page for phones draws the picture narrower.
const SCALES = [1, 0.7];

/** Positions of a label beside its point, best first: its look, and the offset of its centre in label widths and pixels. */
const SIDES = [
  { look: { align: "left", dx: 6 }, shift: 0.5, dx: 6, dy: 0 },
  { look: { align: "right", dx: -6 }, shift: -0.5, dx: -6, dy: 0 },
  { look: { align: "center", dy: -9 }, shift: 0, dx: 0, dy: -9 },
  { look: { align: "center", dy: 9 }, shift: 0, dx: 0, dy: 9 },
] as const;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Square picture with both axes from `low` to `high`. */
export interface SquarePicture {
  readonly low: number;
  readonly high: number;
  readonly widthPx: number;
}

/** Ticker in a sentence or label; quoted if it has no letter or digit. */
export function tickerText(ticker: string): string {
  return /[\p{L}\p{N}]/u.test(ticker) ? ticker : `“${ticker}”`;
}

/**
 * Layers with the tickers of points, each beside its point where it covers no other label, no other named point and no
 * axis; one without such a place is left out.
 *
 * @param rows `ticker`, `from` and `to`, the most important first
 */
export function tickerLayers(
  rows: readonly Row[],
  picture: SquarePicture,
  encoding: { readonly x: ChartSpec; readonly y: ChartSpec },
): readonly ChartSpec[] {
  const taken: Box[][] = SCALES.map((scale) =>
    rows.map((row) => pointBox(row, { ...picture, widthPx: picture.widthPx * scale }))
  );
  const placed = rows.map((row) => {
    const label = tickerText(textIn(row, "ticker"));
    const side = SIDES.findIndex((_, i) => {
      const boxes = SCALES.map((scale) =>
        labelBox({ row, label, side: i }, { ...picture, widthPx: picture.widthPx * scale })
      );
      const free = boxes.every((box, k) =>
        isInside(box, picture.widthPx * SCALES[k]!) &&
        !taken[k]!.some((other) => overlap(box, other))
      );
      if (free) boxes.forEach((box, k) => taken[k]!.push(box));
      return free;
    });
    return { ...row, label, side };
  });
  return SIDES.flatMap(({ look }, i): ChartSpec[] => {
    const rows = placed.filter(({ side }) => side === i);
    const label = { baseline: "middle", fontSize: FONT_PX, ...look, ...encoding };
    const text = { field: "label", type: "nominal" };
    return rows.length === 0 ? [] : [mark("text", { rows, ...label, text })];
  });
}

function pointBox(row: Row, { low, high, widthPx }: SquarePicture): Box {
  const x = (numberIn(row, "from") - low) / (high - low) * widthPx;
  const y = (high - numberIn(row, "to")) / (high - low) * widthPx;
  return { left: x - POINT_PX, right: x + POINT_PX, top: y - POINT_PX, bottom: y + POINT_PX };
}

function labelBox(
  { row, label, side }: { readonly row: Row; readonly label: string; readonly side: number },
  picture: SquarePicture,
): Box {
  const point = pointBox(row, picture);
  const { shift, dx, dy } = SIDES[side]!;
  const width = FONT_PX * textWidth(label);
  const x = (point.left + point.right) / 2 + dx + shift * width;
  const y = (point.top + point.bottom) / 2 + dy;
  return {
    left: x - width / 2,
    right: x + width / 2,
    top: y - FONT_PX / 2,
    bottom: y + FONT_PX / 2,
  };
}

function isInside({ left, right, top, bottom }: Box, widthPx: number): boolean {
  return left >= 0 && right <= widthPx && top >= 0 && bottom <= widthPx;
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
