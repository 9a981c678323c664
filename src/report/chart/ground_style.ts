import { bucketColors, channelsOf, QUIET_COLOR, SERIES_COLORS, TEXT_COLOR } from "./palette.ts";

/** Known background colour: white, or #111 where the reader prefers dark pages. */
export type Ground = "light" | "dark";

// No colour has a contrast of 4.5 to 1 on both white and #111; on a known background, one factor darkens or lightens all.
const FACTORS: Readonly<Record<Ground, number>> = { light: 0.8, dark: 1.26 };
// Colours of text from the usual to the strongest; on a ground the first that holds the contrast is taken.
const INKS = ["#222222", "#dddddd", "#000000", "#ffffff"];
const LEGIBLE = 4.5;
const USUAL_QUANTILES = [3, 5, 10];
const COLORS: ReadonlySet<string> = new Set([
  ...SERIES_COLORS,
  QUIET_COLOR,
  ...USUAL_QUANTILES.flatMap((count) => bucketColors(count)),
]);

/** Chart colour on a known background, with a contrast of at least 4.5 to 1. */
export function onGround(color: string, ground: Ground): string {
  const channels = channelsOf(color).map((channel) =>
    Math.min(255, Math.round(FACTORS[ground] * channel))
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** A picture on a ground of a known colour: its grey text becomes nearly black or nearly white, its colours darker or lighter. */
export function onKnownGround(svg: string, ground: readonly number[]): string {
  const ink = INKS.find((color) => contrast(channelsOf(color), ground) >= LEGIBLE) ?? INKS[2]!;
  const isLight = contrast([0, 0, 0], ground) >= contrast([255, 255, 255], ground);
  return svg.replaceAll(
    /(?<= (?:fill|stroke)=")#[0-9a-f]{6}(?=")/g,
    (color) =>
      color === TEXT_COLOR
        ? ink
        : COLORS.has(color)
        ? onGround(color, isLight ? "light" : "dark")
        : color,
  );
}

// Contrast of WCAG 2.2.
function contrast(one: readonly number[], other: readonly number[]): number {
  const [low, high] = [one, other].map((channels) => {
    const [r, g, b] = channels.map((channel) =>
      channel <= 10.3 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4
    );
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  }).toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

/**
 * Rules of style for the pictures within an element: their colours as each ground asks for. Paper is white.
 *
 * @param svg Picture that has the rules in itself, for its ink as well; `null` for all pictures of a page, which has an ink
 */
export function groundStyle(element: string, svg: string | null = null): string {
  return `${rules(element, "light", svg)}
@media screen and (prefers-color-scheme: dark) {
${rules(element, "dark", svg)}
}`;
}

/** A picture without a ground as a file: a page or a viewer that tells its ground gets the ink and the colours for it. */
export function adaptiveSvg(svg: string): string {
  return svg.replace(/<svg [^>]*>/, (start) => `${start}<style>${groundStyle("svg", svg)}</style>`);
}

function rules(element: string, ground: Ground, svg: string | null): string {
  const inks = svg === null ? [] : [TEXT_COLOR];
  return [...COLORS, ...inks].filter((color) => svg?.includes(color) ?? true).map((color) => {
    const own = color === TEXT_COLOR ? INKS[ground === "light" ? 0 : 1]! : onGround(color, ground);
    return `${element} [fill="${color}"] { fill: ${own}; } ${element} [stroke="${color}"] { stroke: ${own}; }`;
  }).join("\n");
}
