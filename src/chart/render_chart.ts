import { createRequire } from "node:module";
import type { ChartSpec } from "./chart_spec.ts";

const SCALE = 2;
// resvg draws no text without a font file, and a machine need not have any.
const FONT_FILE = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";

/** The font in which charts are written; it comes with the package. */
export const CHART_FONT = "DejaVu Sans";

/** Draws a specification as SVG. The libraries load with the first chart. */
export async function renderSvg(spec: ChartSpec): Promise<string> {
  const [{ compile }, { Error: errorLevel, parse, View }] = await Promise.all([
    import("vega-lite"),
    import("vega"),
  ]);
  // Version 6 draws what version 5 describes, and would say at every chart that it is not 5.
  const { $schema: _, ...unversioned } = spec;
  const compiled = compile(unversioned as unknown as Parameters<typeof compile>[0]);
  const view = new View(parse(compiled.spec), { renderer: "none", logLevel: errorLevel });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** Draws a specification as PNG. */
export async function renderPng(spec: ChartSpec): Promise<Uint8Array> {
  const [svg, { Resvg }] = await Promise.all([renderSvg(spec), import("@resvg/resvg-js")]);
  const picture = new Resvg(svg, {
    background: "white",
    fitTo: { mode: "zoom", value: SCALE },
    font: { fontFiles: [fontPath()], loadSystemFonts: false, defaultFontFamily: CHART_FONT },
  });
  return new Uint8Array(picture.render().asPng());
}

function fontPath(): string {
  return createRequire(import.meta.url).resolve(FONT_FILE);
}
