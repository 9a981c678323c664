import type { Loader } from "vega";
import { CHART_FONT, ZOOM_WHEEL } from "../chart_config.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { adoptFontWidths, type TextMetrics } from "../font_widths.ts";
import { onKnownGround } from "../ground_style.ts";
import { readBackground } from "./read_background.ts";
import { chartFonts, usualFonts } from "./chart_fonts.ts";

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

const ROWS = new Set(["data", "datasets"]);

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
    const named = nameSvg(shorten(svg), description).toWellFormed().replace(UNWRITABLE, "\ufffd");
    return ground === null || ground.opacity < 0.5 ? named : onKnownGround(named, ground.color);
  } finally {
    view.finalize();
  }
}

function refusal(address: string): TypeError {
  const got = JSON.stringify(address.slice(0, 100));
  return new TypeError(
    `Cannot draw a chart: expected its rows in the specification, got the address ${got}; read ` +
      "it yourself, or give { description, mayLoad: true }",
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

// One text alternative for the whole picture: a screen reader would read every point.
function nameSvg(svg: string, description: string): string {
  const label = description.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
  return svg.replace("<svg ", `<svg role="img" aria-label="${label}" `);
}

/** Draws a specification as PNG. */
export async function renderPng(
  drawn: Drawn,
  { background, scale, fontFiles: own = [] }: GroundPlan & {
    /** Pixels of the picture for each pixel of the chart. */
    readonly scale: number;
    /** Further font files. */
    readonly fontFiles?: readonly string[];
  },
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

/**
 * Makes a loader that reads neither files nor the network, unless it may. Otherwise drawing a chart would read any address in its
 * specification.
 *
 * Vega does not listen to a promise of `sanitize()`, so that a rejected one would end the process: an unsafe link, such as
 * `javascript:` in a chart's data, becomes empty.
 *
 * @param usual Vega's own loader
 */
function refusingLoader(usual: Loader, { mayLoad }: { readonly mayLoad: boolean }) {
  const refused: string[] = [];
  const refuse = (uri: string) => {
    refused.push(uri);
    return Promise.reject(new Error("refused"));
  };
  const loader: Loader = {
    ...usual,
    ...(!mayLoad && { load: refuse, http: refuse, file: refuse }),
    sanitize: async (uri, options) => {
      const isRead = (options as { readonly context?: string } | undefined)?.context !== "href";
      const isRefused = isRead && !mayLoad && !String(uri).startsWith("data:");
      if (isRefused) refused.push(uri);
      return isRefused
        ? { href: "" }
        : await usual.sanitize(uri, options).catch(() => ({ href: "" }));
    },
  };
  return { loader, refused };
}

/**
 * Specification of a static picture, without tooltips, zooming or a description of each mark, which take a third of
 * the drawing time. Rows are copied, because Vega marks those that it reads.
 */
function stillSpec(spec: ChartSpec): ChartSpec {
  // A zoom also clips marks beyond the stated ends of an axis.
  const still = stillPart(spec, statesEnds(spec)) as ChartSpec;
  return { ...still, config: { ...still["config"] as ChartSpec | undefined, aria: false } };
}

function stillPart(value: unknown, keepsZoom: boolean): unknown {
  if (Array.isArray(value)) {
    return value.filter((part) => !String(part?.name).startsWith("hover"))
      .map((part) => stillPart(part, keepsZoom));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      if (ROWS.has(name)) return [[name, structuredClone(part)]];
      if (name === "encoding") {
        const { tooltip: _, ...others } = part ?? {};
        return [[name, structuredClone(others)]];
      }
      if (name !== "params" || keepsZoom || !Array.isArray(part)) {
        return [[name, stillPart(part, keepsZoom)]];
      }
      const others = part.filter((param) => param.select?.zoom !== ZOOM_WHEEL);
      return others.length === 0 ? [] : [[name, structuredClone(others)]];
    }),
  );
}

function statesEnds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(statesEnds);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => {
    if (ROWS.has(name)) return false;
    if (name !== "x" && name !== "y") return statesEnds(part);
    const { scale } = (part ?? {}) as { readonly scale?: { readonly domain?: unknown } | null };
    return scale?.domain !== undefined;
  });
}

/** The title of a chart in one line; its description if it has none. */
export function titleOf({ spec, description }: Drawn): string {
  const { title } = spec as { readonly title?: string | { readonly text?: unknown } };
  const text = typeof title === "object" && title !== null ? title.text : title;
  const lines = Array.isArray(text) ? text.join(" ") : text;
  return typeof lines === "string" ? lines : description;
}
