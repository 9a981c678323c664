import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
// deno-lint-ignore no-control-regex
const UNUSUAL = /[^\u0000-\u007e\u00a0-\u017fΔΣαβσ‐-—‘’“”•…→−√≈≤≥⌘\ufffd]/;

/**
 * Files of the chart font with only the usual characters, because the renderer reads a font once per line of text. None if a
 * picture has other characters, which need the whole font, or if the module was loaded from an address, which
 * has no files beside it.
 */
export function usualFonts(svg: string): readonly string[] {
  if (UNUSUAL.test(svg) || !import.meta.url.startsWith("file:")) return [];
  return FONT_FILES.map((name) => fileURLToPath(new URL(`./fonts/${name}`, import.meta.url)))
    .filter((path) => existsSync(path));
}
