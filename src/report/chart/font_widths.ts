// Advance widths of DejaVu Sans in thousandths of its size, from space to tilde.
// deno-fmt-ignore
const WIDTHS = [
  318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
  636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
  603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
  634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];
const OTHER = 700;
const FIRST = 32;
const VEGA_SIZE = 11;
// Titles are bold; as wide as plain text they would be cut off.
const BOLD = 1.11;

/** The part of Vega that measures text. */
export interface TextMetrics {
  width: (
    item: { readonly fontSize?: number; readonly fontWeight?: string | number },
    text: string,
  ) => number;
}

/**
 * Gives Vega the widths of the font in which pictures are drawn. Without a canvas it assumes eight tenths of the font size
 * per letter, which leaves a third of each title and legend empty.
 */
export function adoptFontWidths(metrics: TextMetrics): void {
  metrics.width = ({ fontSize = VEGA_SIZE, fontWeight }, text) =>
    fontSize * (fontWeight === "bold" ? BOLD : 1) * textWidth(String(text));
}

/** The width of a text in multiples of its size. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDTHS[character.codePointAt(0)! - FIRST] ?? OTHER;
  return width / 1000;
}
