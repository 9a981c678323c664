import { CHART_FONT } from "../chart_config.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { adoptFontWidths, type TextMetrics } from "../font_widths.ts";
import { onKnownGround } from "../ground_style.ts";
import { readBackground } from "./read_background.ts";
import { chartFonts } from "./chart_fonts.ts";
import { usualFonts } from "./usual_fonts.ts";
import { stillSpec } from "./still_spec.ts";
import { refusingLoader } from "./refusing_loader.ts";

/** Pixels of a picture for each pixel of the chart. */
export const PICTURE_SCALE = 2;

/** Content of the picture. */
export interface Drawn {
  /** The specification. */
  readonly spec: ChartSpec;
  /** Description for readers who do not see it. */
  readonly description: string;
  /** True if the specification may read files and addresses. @default false */
  readonly mayLoad?: boolean;
}

/** Ground of a picture. */
export interface GroundPlan {
  /** Background colour, drawn beneath the picture. @default that of the specification, usually none */
  readonly background?: string | undefined;
  /** Colour of the page, on which the picture is drawn without a background. @default unknown */
  readonly page?: string;
}

let loading: ReturnType<typeof loadVega> | null = null;

/** Draws a specification as SVG; its text is legible on a ground that is known. The libraries load with the first chart. */
export async function renderSvg(
  { spec, description, mayLoad = false }: Drawn,
  { background, page }: GroundPlan = {},
): Promise<string> {
  const given = background === undefined ? page ?? spec["background"] : background;
  const ground = given === undefined ? null : await readBackground(given as string);
  const { compile, Error: errorLevel, loader, parse, View } = await (loading ??= loadVega());
  // Version 6 draws specifications of version 5, but would warn about the version at every chart.
  const { $schema: _, ...still } = stillSpec(spec);
  const unversioned = { ...still, ...(background !== undefined && { background }) };
  const compiled = compile(unversioned as unknown as Parameters<typeof compile>[0]);
  const guard = refusingLoader(loader(), { mayLoad });
  const view = new View(parse(compiled.spec), {
    renderer: "none",
    logLevel: errorLevel,
    loader: guard.loader,
  });
  try {
    const svg = await view.toSVG();
    if (guard.refused[0] !== undefined) throw refusal(guard.refused[0]);
    const named = writable(nameSvg(shorten(svg), description));
    return ground === null || ground.opacity < 0.5 ? named : onKnownGround(named, ground.color);
  } finally {
    view.finalize();
  }
}

function refusal(address: string): TypeError {
  return new TypeError(
    `Cannot draw a chart: expected its rows in the specification, got the address ${
      JSON.stringify(address.slice(0, 100))
    }; read it yourself, or give { description, mayLoad: true }`,
  );
}

async function loadVega() {
  const [{ compile }, vega] = await Promise.all([import("vega-lite"), import("vega")]);
  const { Error, loader, parse, View } = vega;
  adoptFontWidths((vega as unknown as { textMetrics: TextMetrics }).textMetrics);
  return { compile, Error, loader, parse, View };
}

// Nobody sees a hundredth of a pixel, and further digits are a third of the file.
function shorten(svg: string): string {
  return svg.replace(
    / (?:d|transform|width|height|x2|y2)="[^"]*"/g,
    (attribute) => attribute.replace(/(\.\d\d)\d+/g, "$1"),
  ).replaceAll(/ aria-(?:hidden|label|roledescription)="[^"]*"| role="[^"]*"/g, "");
}

// A ticker may contain characters that XML forbids; a placeholder shows them.
// deno-lint-ignore no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function writable(svg: string): string {
  return svg.toWellFormed().replace(UNWRITABLE, "\ufffd");
}

// One text alternative for the whole picture: a screen reader would read every point.
function nameSvg(svg: string, description: string): string {
  return svg.replace("<svg ", `<svg role="img" aria-label="${escapeAttribute(description)}" `);
}

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/** Options of a picture. */
export interface PngPlan extends GroundPlan {
  /** Pixels of the picture for each pixel of the chart. */
  readonly scale: number;
  /** Further font files. */
  readonly fontFiles?: readonly string[];
}

/** Draws a specification as PNG. */
export async function renderPng(
  drawn: Drawn,
  { background, scale, fontFiles: own = [] }: PngPlan,
): Promise<Uint8Array> {
  const [svg, { Resvg }, theirs] = await Promise.all([
    renderSvg(drawn, { background }),
    import("@resvg/resvg-js"),
    chartFonts(),
  ]);
  const picture = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: {
      fontFiles: [...usualFonts(svg), ...theirs, ...own],
      loadSystemFonts: theirs.length === 0,
      defaultFontFamily: CHART_FONT,
    },
  });
  return new Uint8Array(picture.render().asPng());
}
