/**
 * Colours of series. Each has a contrast of at least 3 to 1 on white and on #111. The first four are told apart by readers
 * who do not see red and green; a chart of more series names them in another way as well.
 */
export const SERIES_COLORS = [
  "#3d7fc1",
  "#c8741c",
  "#4a7a5c",
  "#9b30d9",
  "#cf5a4d",
  "#7c8a1f",
] as const;

/** What is the subject of a chart. */
export const MAIN_COLOR = SERIES_COLORS[0];

/** What is compared with the subject. */
export const OTHER_COLOR = SERIES_COLORS[1];

/** What is left out, lost or not known. */
export const QUIET_COLOR = "#808080";

/** Colours of buckets from the lowest to the highest: orange, by grey, to blue; each is read on white and on #111. */
export function bucketColors(count: number): readonly string[] {
  const stops = [OTHER_COLOR, QUIET_COLOR, MAIN_COLOR].map(channelsOf);
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 2 : 2 * i / (count - 1);
    const [from, to] = [
      stops[Math.min(1, Math.floor(at))]!,
      stops[Math.min(1, Math.floor(at)) + 1]!,
    ];
    const share = at - Math.min(1, Math.floor(at));
    const mixed = from.map((channel, k) => Math.round(channel + share * (to[k]! - channel)));
    return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
  });
}

function channelsOf(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/** Grey that is read on white (4.5 to 1) and on the ground of dark themes (4.2 to 1). */
export const TEXT_COLOR = "#777777";

/** Below zero, zero, above zero: cells that are seen on a light and on a dark ground, and bear {@link CELL_TEXT_COLOR}. */
export const DIVERGING_COLORS = ["#dd7f2e", "#b9bcc0", "#4c93d9"] as const;

/** The colour of a number in a cell; it holds 4.5 to 1 on each of the diverging colours. */
export const CELL_TEXT_COLOR = "#111111";

/** From none to all; none is told from no cell on white and on #111. */
export const SEQUENTIAL_COLORS = ["rgba(128,128,128,0.4)", "rgba(61,127,193,1)"] as const;
