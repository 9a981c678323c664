import { bucketColors, QUIET_COLOR, SERIES_COLORS } from "./palette.ts";

/** Known background colour: white, or #111 where the reader prefers dark pages. */
export type Ground = "light" | "dark";

// No colour has a contrast of 4.5 to 1 on both white and #111; on a known background, one factor darkens or lightens all.
const FACTORS: Readonly<Record<Ground, number>> = { light: 0.8, dark: 1.26 };
const USUAL_QUANTILES = [3, 5, 10];

/** Chart colour on a known background, with a contrast of at least 4.5 to 1. */
export function onGround(color: string, ground: Ground): string {
  const channels = [1, 3, 5].map((at) =>
    Math.min(255, Math.round(FACTORS[ground] * parseInt(color.slice(at, at + 2), 16)))
  );
  return `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Rules of style for the pictures within an element: their colours as each ground asks for. Paper is white. */
export function groundStyle(element: string): string {
  return `${rules(element, "light")}
@media screen and (prefers-color-scheme: dark) {
${rules(element, "dark")}
}`;
}

function rules(element: string, ground: Ground): string {
  const colors = new Set([
    ...SERIES_COLORS,
    QUIET_COLOR,
    ...USUAL_QUANTILES.flatMap((count) => bucketColors(count)),
  ]);
  return [...colors].map((color) => {
    const own = onGround(color, ground);
    return `${element} [fill="${color}"] { fill: ${own}; } ${element} [stroke="${color}"] { stroke: ${own}; }`;
  }).join("\n");
}
