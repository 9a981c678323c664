import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";

// resvg draws no text without a font file, and a machine need not have any.
const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];
const WITHOUT_FONT =
  "Cannot draw charts in DejaVu Sans: expected the package dejavu-fonts-ttf, got none; fonts of this machine are used, and pictures have no text if there are none; deno add npm:dejavu-fonts-ttf@2.37.3";

// deno-lint-ignore no-control-regex
const UNUSUAL = /[^\u0000-\u007e\u00a0-\u017fΔΣαβσ‐-—‘’“”•…→−√≈≤≥⌘\ufffd]/;

let fonts: Promise<readonly string[]> | null = null;

/** Regular and bold files of the chart font; none, with a notice, if its package is missing. */
export function chartFonts(): Promise<readonly string[]> {
  return fonts ??= findFonts();
}

async function findFonts(): Promise<readonly string[]> {
  if (!import.meta.url.startsWith("file:")) {
    // Nothing else imports the package, and Deno keeps only what is imported.
    await import("dejavu-fonts-ttf/package.json", { with: { type: "json" } }).catch(() => {});
  }
  const found = FONT_FILES.map((name) => packageFile(`dejavu-fonts-ttf/ttf/${name}`))
    .filter((path) => path !== null);
  if (found.length === 0) sayNotice(WITHOUT_FONT);
  return found;
}

/**
 * Path of a module or file in a package that this one depends on; `null` if it is not there.
 *
 * Node's way begins at the folder of this module. A module that came from an address, as from jsr, has none; Deno then
 * tells where it keeps a package that some module imports.
 *
 * @param name Import name, such as `vega` or `dejavu-fonts-ttf/ttf/DejaVuSans.ttf`
 * @param base Address of this module
 */
export function packageFile(name: string, base: string = import.meta.url): string | null {
  try {
    const path = base.startsWith("file:")
      ? createRequire(base).resolve(name)
      : fileURLToPath(import.meta.resolve(`npm:${name}`));
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

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
