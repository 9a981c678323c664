import { createRequire } from "node:module";
import { CHART_FONT } from "./chart_config.ts";
import type { ChartSpec } from "./chart_spec.ts";

/** Pixels of a picture for each pixel of the chart. */
export const PICTURE_SCALE = 2;

// resvg draws no text without a font file, and a machine need not have any.
const FONT_FILE = "dejavu-fonts-ttf/ttf/DejaVuSans.ttf";

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

/** Draws a specification as PNG, on the given ground or on none. */
export async function renderPng(spec: ChartSpec, background?: string): Promise<Uint8Array> {
  const [svg, { Resvg }] = await Promise.all([renderSvg(spec), import("@resvg/resvg-js")]);
  const picture = new Resvg(svg, {
    ...(background !== undefined && { background }),
    fitTo: { mode: "zoom", value: PICTURE_SCALE },
    font: { fontFiles: [fontPath()], loadSystemFonts: false, defaultFontFamily: CHART_FONT },
  });
  return new Uint8Array(picture.render().asPng());
}

function fontPath(): string {
  return createRequire(import.meta.url).resolve(FONT_FILE);
}
