import { describe, expect, test } from "vitest";
import {
  ALL_COLOR,
  bucketColors,
  CELL_TEXT_COLOR,
  DASHES,
  DIVERGING_COLORS,
  QUIET_COLOR,
  SERIES_COLORS,
  SHAPES,
  TEXT_COLOR,
} from "../../../src/report/chart/palette.ts";

import { type Ground, groundStyle, onGround } from "../../../src/report/chart/ground_style.ts";

type Rgb = readonly [number, number, number];

function rgb(hex: string): Rgb {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

// Relative luminance and contrast of WCAG 2.2.
function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(rgb(a)), luminance(rgb(b))].toSorted((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

// Machado, Oliveira and Fernandes (2009), severity 1, on linear channels.
const VISIONS: Readonly<Record<string, readonly Rgb[]>> = {
  "full colour vision": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [
    -0.003882,
    -0.048116,
    1.051998,
  ]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [
    -0.01182,
    0.04294,
    0.968881,
  ]],
};

/** Lightness and the two colour axes of CIE Lab, as the vision sees the colour. */
function lab(hex: string, vision: readonly Rgb[]): Rgb {
  const seen = rgb(hex).map(linear);
  const [r, g, b] = vision.map((row) =>
    Math.max(0, row[0] * seen[0]! + row[1] * seen[1]! + row[2] * seen[2]!)
  ) as unknown as Rgb;
  const f = (t: number) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

describe("the colours of charts", () => {
  test.each([...SERIES_COLORS, TEXT_COLOR, ...bucketColors(5), ...bucketColors(10)])(
    "%s holds 3 to 1 on white and on #111",
    (color) => {
      expect(contrast(color, "#ffffff")).toBeGreaterThanOrEqual(3);
      expect(contrast(color, "#111111")).toBeGreaterThanOrEqual(3);
    },
  );

  const PAGES = { light: "#ffffff", dark: "#111111" } as const;

  test.each([...SERIES_COLORS, QUIET_COLOR, ...[3, 5, 10].flatMap((count) => bucketColors(count))])(
    "%s holds 4.5 to 1 on a page, light or dark",
    (color) => {
      for (const [ground, page] of Object.entries(PAGES)) {
        const shown = onGround(color, ground as Ground);
        expect(contrast(shown, page), ground).toBeGreaterThanOrEqual(4.5);
        const style = groundStyle("svg");
        expect(style).toContain(`[fill="${color}"] { fill: ${shown}; }`);
        expect(style).toContain(`[stroke="${color}"] { stroke: ${shown}; }`);
      }
    },
  );

  test("of text holds 4.5 to 1 on white", () => {
    expect(contrast(TEXT_COLOR, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  });

  test.each(DIVERGING_COLORS)("%s bears the numbers of cells, 4.5 to 1", (color) => {
    expect(contrast(color, CELL_TEXT_COLOR)).toBeGreaterThanOrEqual(4.5);
  });

  test("buckets go from orange to blue, the middle one grey", () => {
    expect(bucketColors(5)).toEqual(["#c8741c", "#a3852f", "#808080", "#3f93a0", "#3d7fc1"]);
    expect(bucketColors(2)).toEqual(["#c8741c", "#3d7fc1"]);
    expect(bucketColors(1)).toEqual(["#3d7fc1"]);
  });

  test.each(Object.keys(VISIONS))(
    "the lowest, the middle and the highest bucket are told apart with %s",
    (name) => {
      const [low, middle, high] = bucketColors(3).map((color) => lab(color, VISIONS[name]!));
      for (const [a, b] of [[low!, middle!], [middle!, high!], [low!, high!]] as const) {
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(15);
      }
    },
  );

  test.each(Object.keys(VISIONS))("all stocks are told from each quantile with %s", (name) => {
    const all = lab(ALL_COLOR, VISIONS[name]!);
    for (const color of [...bucketColors(5), ...bucketColors(10)]) {
      const own = lab(color, VISIONS[name]!);
      expect(Math.hypot(all[0] - own[0], all[1] - own[1], all[2] - own[2])).toBeGreaterThan(15);
    }
  });

  test("strokes and forms are as many as colours, each its own", () => {
    expect(new Set(DASHES.map(String)).size).toBe(SERIES_COLORS.length);
    expect(new Set(SHAPES).size).toBe(SERIES_COLORS.length);
  });

  test.each(
    Object.keys(VISIONS).flatMap((name) =>
      (["any", "light", "dark"] as const).map((ground) => [name, ground] as const)
    ),
  )("all series are told apart with %s on %s ground", (name, ground) => {
    const seen = SERIES_COLORS.map((color) => ground === "any" ? color : onGround(color, ground))
      .map((color) => lab(color, VISIONS[name]!));
    for (const [i, a] of seen.entries()) {
      for (const b of seen.slice(i + 1)) {
        // A difference of 2.3 is just seen side by side; in thin lines far more is needed.
        expect(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])).toBeGreaterThan(15);
      }
    }
  });
});
