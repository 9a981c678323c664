import { describe, expect, test } from "vitest";
import { Resvg } from "@resvg/resvg-js";
import { chartFonts, usualFonts } from "../../../src/report/chart/render/chart_fonts.ts";

/** Pixels of texts that are drawn with the files of a font. */
function pixels(text: string, fontFiles: readonly string[]): string {
  const line = (y: number, weight: string) =>
    `<text x="5" y="${y}" font-family="DejaVu Sans" font-weight="${weight}" font-size="16">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60">${
    line(20, "normal")
  }${line(45, "bold")}</svg>`;
  const font = { fontFiles: [...fontFiles], loadSystemFonts: false };
  return new Uint8Array(new Resvg(svg, { font }).render().pixels).toBase64();
}

describe("the fonts with the usual characters", () => {
  test.each(["Mean IC −0.024 (95% CI), n = 1,234 …", "Zürich – Łódź “5” ≤ ≥ αβσΔ → ⌘"])(
    "draw %s as the whole fonts do",
    async (text) => {
      expect(usualFonts(text)).toHaveLength(2);
      expect(pixels(text, usualFonts(text))).toBe(pixels(text, await chartFonts()));
    },
  );

  test.each(["Привет", "日本", "½ ⅓"])("are not taken for %s", (text) => {
    expect(usualFonts(text)).toEqual([]);
  });
});
