import type { ChartSpec } from "./chart_spec.ts";
import { bucketColors, SERIES_COLORS } from "./palette.ts";

const PLACES = ["color", "fill", "stroke", "value", "range"];

/** A specification whose series have other colours; a ramp of quantiles goes from the second of them to the first. */
export function recolor(spec: ChartSpec, colors: readonly string[]): ChartSpec {
  return change(spec, colors, false) as ChartSpec;
}

function change(value: unknown, colors: readonly string[], isColor: boolean): unknown {
  if (typeof value === "string") return isColor ? colorOf(value, colors) : value;
  if (Array.isArray(value)) {
    if (isColor && isRamp(value)) return rampOf(value.length, colors);
    return value.map((one) => change(one, colors, isColor));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "values" || name === "datasets" ? one : change(one, colors, PLACES.includes(name)),
    ]),
  );
}

function colorOf(color: string, colors: readonly string[]): string {
  const place = (SERIES_COLORS as readonly string[]).indexOf(color);
  return colors[place] ?? color;
}

function isRamp(range: readonly unknown[]): boolean {
  return range.length > 2 && JSON.stringify(range) === JSON.stringify(bucketColors(range.length));
}

function rampOf(count: number, [main, other = main]: readonly string[]): readonly string[] {
  return bucketColors(count, { main: main!, other: other! });
}
