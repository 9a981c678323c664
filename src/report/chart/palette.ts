/**
 * Colours of series. Each has a contrast of at least 3 to 1 on white and on #111 (on pages, whose ground is known, 4.5 to 1), and
 * readers with red–green colour blindness can distinguish all of them. A chart of several series has a second encoding as well: {@link DASHES} or {@link SHAPES}.
 */
export const SERIES_COLORS = [
  ...["#3d7fc1", "#c8741c", "#4a7a5c", "#9b30d9", "#489ca8", "#905424"] as const,
] as const;

/** Strokes of series, in the order of {@link SERIES_COLORS}: lines are told apart without any colour. */
export const DASHES: readonly (readonly number[])[] = [
  ...[[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3], [12, 3]],
];

/** Shapes of points, in the order of {@link SERIES_COLORS}. */
export const SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "stroke"] as const;

/** Colour of the subject of a chart. */
export const MAIN_COLOR = SERIES_COLORS[0];

/** Colour of a comparison with the subject. */
export const OTHER_COLOR = SERIES_COLORS[1];

/** Colour of all stocks, beside quantiles. */
export const ALL_COLOR = SERIES_COLORS[3];

/** Colour of values that are left out, lost or unknown. */
export const QUIET_COLOR = "#808080";

// Ordered by hue and told apart as thin lines.
const QUANTILE_STOPS = [OTHER_COLOR, "#a3852f", QUIET_COLOR, "#3f93a0", MAIN_COLOR];

/** Colours of quantiles from the lowest to the highest, from orange through grey to blue; each is legible on white and on #111. */
export function bucketColors(
  count: number,
  own?: { readonly main: string; readonly other: string },
): readonly string[] {
  const given = own === undefined ? QUANTILE_STOPS : [own.other, QUIET_COLOR, own.main];
  // Colours that have a name cannot be mixed.
  if (own !== undefined && !given.every((color) => /^#[0-9a-f]{6}$/i.test(color))) {
    return Array.from({ length: count }, (_, i) => 2 * i < count - 1 ? own.other : own.main);
  }
  const stops = given.map(channelsOf);
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? stops.length - 1 : (stops.length - 1) * i / (count - 1);
    const start = Math.min(stops.length - 2, Math.floor(at));
    const mixed = stops[start]!.map((channel, k) =>
      Math.round(channel + (at - start) * (stops[start + 1]![k]! - channel))
    );
    return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  });
}

/** Red, green and blue of a colour, from 0 to 255. */
export function channelsOf(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** Grey that is read on white (4.5 to 1) and on the ground of dark themes (4.2 to 1; pages of ours take their own colour of text). */
export const TEXT_COLOR = "#767676";

/** Below zero, zero, above zero: cells that are seen on a light and on a dark ground, and bear {@link CELL_TEXT_COLOR}. */
export const DIVERGING_COLORS = ["#dd7f2e", "#b9bcc0", "#4c93d9"] as const;

/** The colour of a number in a cell; it holds 4.5 to 1 on each of the diverging colours. */
export const CELL_TEXT_COLOR = "#111111";

/** From none to all; none is told from no cell on white and on #111. */
export const SEQUENTIAL_COLORS = ["rgba(128,128,128,0.4)", "rgba(61,127,193,1)"] as const;
