import {
  checkOption,
  checkOptions,
  FLAG,
  numbers,
  pathEnding,
  ruleOf,
  severalOf,
  TEXT,
} from "../../base/arguments/check_options.ts";
import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import { withMetadata } from "../../frames/notebook/mime_bundle.ts";
import { adaptiveSvg } from "./ground_style.ts";
import { changeChart, type ChartChanges, withPointer, withTheme } from "./chart_changes.ts";
import { withoutInk } from "./chart_config.ts";
import { keepLayout, layoutOf } from "./lay_out_spec.ts";
import { narrowChart } from "./narrow_chart.ts";
import { saveFile } from "./save_file.ts";
import type { VegaSpec } from "./chart_spec.ts";
import { PICTURE_SCALE, renderPng, renderSvg } from "./render/render_chart.ts";
import { renderHtml } from "./render/render_html.ts";
import { renderPdf } from "./render/render_pdf.ts";

/** Options of a picture, a PDF or a page of a chart; each method takes those that it has. */
export interface PictureOptions {
  /**
   * Background colour in CSS notation, such as "white" or "#111". Text is black or white on it, whichever is legible; without one it is a
   * grey for light and dark pages, and black in a PDF, whose page is white.
   *
   * @default none: the background of the page shows through
   */
  readonly background?: string;
  /**
   * Font files (TTF or OTF) of a font that a chart names, beside that of the package.
   *
   * @default none
   */
  readonly fontFiles?: readonly string[];
  /**
   * Pixels of the picture for each pixel of the chart, from above 0 to 10.
   *
   * @default 2
   */
  readonly scale?: number;
  /**
   * True to embed Vega (about a megabyte) in a page, so that the chart zooms and shows numbers; otherwise the page has only the
   * picture and its description.
   *
   * @default true
   */
  readonly interactive?: boolean;
}

const PARTS = ["mark", "layer", "concat", "hconcat", "vconcat", "facet", "repeat", "spec"];
const PICTURE_FILE = pathEnding(".png", ".svg", ".pdf", ".html", ".json");
const PDF_RULES = {
  background: ruleOf<string>('a colour such as "white", "#204080" or "transparent"', TEXT.accepts),
  fontFiles: severalOf<string>("an array of paths", TEXT.accepts),
};
const SCALE = numbers("a number above 0 and at most 10", (value) => value > 0 && value <= 10);
const PICTURE_RULES = { ...PDF_RULES, scale: SCALE };
const PAGE_RULES = { interactive: FLAG };

/**
 * A chart: a Vega-Lite specification with a description, which can be changed, shown and saved.
 *
 * `spec` is plain Vega-Lite, which a program may change and give to a new chart. The libraries that draw load with the first
 * picture.
 *
 * @example Change a chart
 * ```ts
 * import { Chart, type VegaSpec } from "scoreframe/chart";
 *
 * const spec: VegaSpec = {
 *   data: { values: [{ quantile: 1, bps: -2 }, { quantile: 2, bps: 3 }] },
 *   mark: "bar",
 *   encoding: { x: { field: "quantile" }, y: { field: "bps", type: "quantitative" } },
 * };
 * const chart = new Chart(spec, { description: "Two bars, −2 and 3 basis points" });
 * const wide = new Chart({ ...chart.spec, width: 400 }, chart);
 * if (!(await wide.toSvg()).includes("Two bars")) throw new Error("a text alternative expected");
 * ```
 */
export class Chart {
  /** The specification. */
  readonly spec: VegaSpec & Readonly<Record<string, unknown>>;
  /** Description of the chart in a sentence. */
  readonly description: string;
  /** True if the specification may read files and addresses. */
  readonly mayLoad: boolean;

  /**
   * Holds a specification with its description.
   *
   * @param spec The specification
   * @param text Description in a sentence; `mayLoad` if the specification may read files and addresses when it is drawn, which one
   *   from others should not
   * @throws {TypeError} If it is not a Vega-Lite specification, or there is no description
   */
  constructor(spec: VegaSpec, text: { readonly description: string; readonly mayLoad?: boolean }) {
    assertSpec(spec);
    const description = (text as Partial<Chart> | null | undefined)?.description;
    if (typeof description !== "string" || description === "") {
      throw new TypeError(
        "Cannot make a chart: expected a description for readers who cannot see it, got none; give " +
          "{ description: … } as the second argument",
      );
    }
    this.spec = withTheme(spec as Chart["spec"]) as Chart["spec"];
    this.description = description;
    this.mayLoad = text.mayLoad === true;
  }

  /**
   * Returns the chart with other texts, colours, font, height, lines or layers. The footnote still states the origin of the
   * numbers and marks synthetic ones; the description is updated.
   *
   * @param changes The changes
   * @throws {TypeError} If a change is unknown or of another kind
   * @throws {RangeError} If the height is not a number of pixels
   *
   * @example Usage
   * ```ts
   * import { plot } from "scoreframe/chart";
   * import pl from "nodejs-polars";
   *
   * const chart = plot(pl.DataFrame({ lag: [1, 2], ic: [0.03, 0.02] }), { x: "lag", y: "ic" });
   * const own = chart.with({ title: "Decay", footnote: "Figure 1", rules: [{ y: 0.01, label: "aim" }] });
   * if (!own.description.startsWith("Decay: 2 rows")) throw new Error(own.description);
   * ```
   */
  with(changes: ChartChanges): Chart {
    const { spec, description, layout } = changeChart(this, layoutOf(this), changes);
    const changed = new Chart(spec as unknown as VegaSpec, { description, mayLoad: this.mayLoad });
    return layout === undefined ? changed : keepLayout(changed, layout);
  }

  /** The description, for a template text or a terminal. */
  toString(): string {
    return this.description;
  }

  /**
   * The chart as an SVG document, whose text alternative is the description.
   *
   * @param options Background
   * @throws {TypeError} If an option is unknown, or the background is not text
   * @throws {RangeError} If the background is not a colour
   */
  async toSvg(options: Pick<PictureOptions, "background"> = {}): Promise<string> {
    checkOptions("draw a picture", options, { background: TEXT });
    return await renderSvg(this, options);
  }

  /**
   * The chart as a PNG file.
   *
   * @param options Background and resolution
   * @throws {TypeError} If an option is unknown, or the background is not text
   * @throws {RangeError} If the scale is not above 0 and at most 10, or the background is not a colour
   */
  async toPng(options: Omit<PictureOptions, "interactive"> = {}): Promise<Uint8Array> {
    checkOptions("draw a picture", options, PICTURE_RULES);
    const { background, scale = PICTURE_SCALE, fontFiles = [] } = options;
    return await renderPng(this, { background, scale, fontFiles });
  }

  /**
   * The chart as a PDF file of its own size, for a paper: vector graphics with searchable text. Its properties hold title and
   * description; equal charts give equal bytes. It needs two packages of its own: `deno add npm:pdfkit@0.20.2 npm:svg-to-pdfkit@0.1.8`.
   *
   * @param options Background, and files of a font that the chart names
   * @throws {TypeError} If an option is unknown, or the background is not text
   * @throws {RangeError} If the background is not a colour
   * @throws {StorageError} If the packages are not installed
   */
  async toPdf(options: Pick<PictureOptions, "background" | "fontFiles"> = {}): Promise<Uint8Array> {
    checkOptions("draw a PDF", options, PDF_RULES);
    return await renderPdf(this, options);
  }

  /**
   * The chart as one HTML file, which loads nothing and works without a network. On a screen of up to 640 pixels it shows a
   * narrower drawing, with its panels one below the other.
   *
   * @param options `interactive`: true for a chart that zooms
   * @throws {TypeError} If an option is unknown
   */
  async toHtml(options: Pick<PictureOptions, "interactive"> = {}): Promise<string> {
    checkOptions("draw a page", options, PAGE_RULES);
    const { interactive = true } = options;
    const layout = layoutOf(this);
    const narrow = (widthPx: number) => narrowChart(this, layout, widthPx);
    return await renderHtml(this, { isInteractive: interactive, narrow });
  }

  /**
   * Writes the chart to a file: a picture (.png on white, .svg for light and dark pages), a paper's figure (.pdf), a page
   * (.html) or the specification (.json).
   *
   * @param path File; its ending names the format
   * @param options Ground and fonts of a .png or .pdf, resolution of a .png; whether a .html zooms
   * @throws {TypeError} If the ending or an option is unknown
   * @throws {StorageError} If the folder does not exist, or cannot be written
   */
  async save(path: string, options: PictureOptions = {}): Promise<void> {
    checkOptions("save a chart", options, { ...PICTURE_RULES, ...PAGE_RULES });
    await saveFile("save a chart", path, await this.#encode(path, options));
  }

  #encode(path: string, { interactive = true, ...picture }: PictureOptions) {
    checkOption("save a chart", "path", path, PICTURE_FILE);
    const { background } = picture;
    const ending = path.split(".").at(-1)!.toLowerCase();
    if (ending === "png") return this.toPng({ background: "white", ...picture });
    if (ending === "svg") {
      return background === undefined ? this.toSvg().then(adaptiveSvg) : this.toSvg({ background });
    }
    if (ending === "pdf") {
      const { scale: _, ...options } = picture;
      return this.toPdf(options);
    }
    if (ending === "html") return this.toHtml({ interactive });
    return Promise.resolve(`${JSON.stringify(this.spec, null, 2)}\n`);
  }

  /** Display in a notebook: the interactive chart, a picture on a white card for frontends that have none, and the description. */
  async [DISPLAY](): Promise<MimeBundle> {
    try {
      const png = await this.toPng({ background: "white" });
      const header = new DataView(png.buffer, png.byteOffset);
      // By default a frontend shows one CSS pixel per pixel.
      const [width, height] = [16, 20].map((at) =>
        Math.round(header.getUint32(at) / PICTURE_SCALE)
      );
      const bundle = {
        "application/vnd.vegalite.v5+json": withPointer(withoutInk(this.spec)),
        "image/png": png.toBase64(),
        "text/plain": this.description,
      };
      const size = { width, height, alt: this.description };
      return await display(withMetadata(bundle, { "image/png": size }));
    } catch (error) {
      // An error in a display hook would hide the chart silently.
      const reason = error instanceof Error ? error.message : String(error);
      return await display({ "text/plain": `${this.description} (no picture: ${reason})` });
    }
  }
}

function assertSpec(spec: unknown): void {
  const isObject = typeof spec === "object" && spec !== null && !Array.isArray(spec);
  if (isObject && PARTS.some((part) => part in spec)) return;
  const got = isObject ? Object.keys(spec).join(", ") || "an empty object" : String(spec);
  throw new TypeError(
    `Cannot make a chart: expected a Vega-Lite specification with one of ${PARTS.join(", ")}, ` +
      `got ${got}`,
  );
}
