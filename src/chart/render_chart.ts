import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { CHART_FONT } from "./chart_config.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { adoptFontWidths, type TextMetrics } from "./font_widths.ts";
import { packageFile } from "./package_file.ts";

/** Pixels of a picture for each pixel of the chart. */
export const PICTURE_SCALE = 2;

// resvg draws no text without a font file, and a machine need not have any.
const FONT_FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"];

const WITHOUT_FONT =
  "Cannot draw charts in DejaVu Sans: expected the package dejavu-fonts-ttf, got none; fonts of this machine " +
  "are used, and where it has none, pictures are without text; deno add npm:dejavu-fonts-ttf@2.37.3";

/** What is drawn. */
export interface Drawn {
  /** The specification. */
  readonly spec: ChartSpec;
  /** What one would see, for those who do not. */
  readonly description: string;
}

let fonts: Promise<string[]> | null = null;
let loading: ReturnType<typeof loadVega> | null = null;

/** Draws a specification as SVG. The libraries load with the first chart. */
export async function renderSvg({ spec, description }: Drawn): Promise<string> {
  const { compile, Error: errorLevel, parse, View } = await (loading ??= loadVega());
  // Version 6 draws what version 5 describes, and would say at every chart that it is not 5.
  // Vega marks the rows that it reads: a copy keeps the caller's as they are.
  const { $schema: _, ...unversioned } = structuredClone(spec) as ChartSpec;
  const compiled = compile(unversioned as unknown as Parameters<typeof compile>[0]);
  const view = new View(parse(compiled.spec), { renderer: "none", logLevel: errorLevel });
  try {
    return nameSvg(shorten(await view.toSVG()), description);
  } finally {
    view.finalize();
  }
}

async function loadVega() {
  const [{ compile }, vega] = await Promise.all([import("vega-lite"), import("vega")]);
  const { Error, parse, View } = vega;
  adoptFontWidths((vega as unknown as { textMetrics: TextMetrics }).textMetrics);
  return { compile, Error, parse, View };
}

// A hundredth of a pixel is not seen, and the digits behind it are a third of the file.
function shorten(svg: string): string {
  return svg.replace(
    / (?:d|transform|width|height|x2|y2)="[^"]*"/g,
    (attribute) => attribute.replace(/(\.\d\d)\d+/g, "$1"),
  ).replaceAll(/ aria-(?:hidden|label|roledescription)="[^"]*"| role="[^"]*"/g, "");
}

// One text alternative for the whole picture: a screen reader would read every point.
function nameSvg(svg: string, description: string): string {
  return svg.replace("<svg ", `<svg role="img" aria-label="${escapeAttribute(description)}" `);
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** How a picture is drawn. */
export interface PngPlan {
  /** Colour of the ground; none if it is not given. */
  readonly background?: string | undefined;
  /** Pixels of the picture for each pixel of the chart. */
  readonly scale: number;
}

/** Draws a specification as PNG. */
export async function renderPng(drawn: Drawn, { background, scale }: PngPlan): Promise<Uint8Array> {
  const [svg, { Resvg }, fontFiles] = await Promise.all([
    renderSvg(drawn),
    import("@resvg/resvg-js"),
    fonts ??= findFonts(),
  ]);
  const picture = new Resvg(svg, {
    ...(background !== undefined && { background }),
    fitTo: { mode: "zoom", value: scale },
    font: { fontFiles, loadSystemFonts: fontFiles.length === 0, defaultFontFamily: CHART_FONT },
  });
  return new Uint8Array(picture.render().asPng());
}

async function findFonts(): Promise<string[]> {
  if (!import.meta.url.startsWith("file:")) {
    // Nothing else imports the package, and Deno keeps only what is imported.
    await import("dejavu-fonts-ttf/package.json", { with: { type: "json" } }).catch(() => {});
  }
  const found = FONT_FILES.map((name) => packageFile(`dejavu-fonts-ttf/ttf/${name}`))
    .filter((path) => path !== null);
  if (found.length === 0) sayNotice(WITHOUT_FONT);
  return found;
}
