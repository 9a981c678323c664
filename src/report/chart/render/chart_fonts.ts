import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { packageFile } from "../package_file.ts";

// resvg draws no text without a font file, and a machine need not have any.
const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

const WITHOUT_FONT =
  "Cannot draw charts in DejaVu Sans: expected the package dejavu-fonts-ttf, got none; fonts of this machine are used, and pictures have no text if there are none; deno add npm:dejavu-fonts-ttf@2.37.3";

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
