import { writeFile } from "node:fs/promises";
import { assertKnownOptions } from "../arguments/check_options.ts";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { withMetadata } from "../notebook/mime_bundle.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { PICTURE_SCALE, renderPng, renderSvg } from "./render_chart.ts";
import { renderHtml } from "./render_html.ts";

/** The words of a chart, for terminals and for readers who cannot see it. */
export interface ChartText {
  /** One sentence. */
  readonly description: string;
}

/** How a picture of a chart is drawn. */
export interface PictureOptions {
  /**
   * Colour of the ground, as CSS writes it: "white" for a paper.
   *
   * @default none: the picture stands on the ground of the page, light or dark
   */
  readonly background?: string;
  /**
   * Pixels of the picture for each pixel of the chart, from above 0 to 10.
   *
   * @default 2
   */
  readonly scale?: number;
}

/** How a chart becomes a page. */
export interface PageOptions {
  /**
   * Whether the page holds Vega, about a megabyte, so that the chart zooms and shows its numbers; without, it is the picture
   * and its description.
   *
   * @default true
   */
  readonly interactive?: boolean;
}

const PARTS = ["mark", "layer", "concat", "hconcat", "vconcat", "facet", "repeat", "spec"];
const ENDINGS = ["png", "svg", "html", "json"];

/**
 * A chart: a specification that can be changed and drawn again, and pictures of it.
 *
 * `spec` is plain Vega-Lite, which a program may change and give to a new chart. The libraries that draw load with the first
 * picture.
 *
 * @example Change a chart
 * ```ts
 * import { Chart } from "scoreframe";
 *
 * const spec = {
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
  readonly spec: ChartSpec;
  /** What the chart shows, in a sentence. */
  readonly description: string;

  /**
   * Holds a specification with its description.
   *
   * @param spec The specification
   * @param text What it shows in words
   * @throws {TypeError} If it is no Vega-Lite specification, or there is no description
   */
  constructor(spec: ChartSpec, text: ChartText) {
    assertSpec(spec);
    const description = (text as Partial<ChartText> | null | undefined)?.description;
    if (typeof description !== "string" || description === "") {
      throw new TypeError(
        "Cannot make a chart: a description is required for readers who do not see it; give " +
          "{ description: … } as the second argument",
      );
    }
    this.spec = spec;
    this.description = description;
  }

  /** The description, for a template text or a terminal. */
  toString(): string {
    return this.description;
  }

  /** The chart as an SVG document, whose text alternative is the description. */
  toSvg(): Promise<string> {
    return renderSvg(this);
  }

  /**
   * The chart as a PNG file.
   *
   * @param options Ground and resolution
   * @throws {TypeError} If an option is unknown
   * @throws {RangeError} If the scale is no number from above 0 to 10
   */
  async toPng(options: PictureOptions = {}): Promise<Uint8Array> {
    assertKnownOptions("draw a picture", options, ["background", "scale"]);
    const { background, scale = PICTURE_SCALE } = options;
    if (!(scale > 0 && scale <= 10)) {
      throw new RangeError(`Cannot draw a picture: scale is above 0 and at most 10, got ${scale}`);
    }
    return await renderPng(this, { background, scale });
  }

  /**
   * The chart as one HTML file, which loads nothing and works without a network.
   *
   * @param options Whether it zooms
   * @throws {TypeError} If an option is unknown
   */
  async toHtml(options: PageOptions = {}): Promise<string> {
    assertKnownOptions("draw a page", options, ["interactive"]);
    const { interactive = true } = options;
    return await renderHtml(this, interactive);
  }

  /**
   * Writes the chart to a file: a picture (.png on white, .svg without a ground), a page (.html) or the specification (.json).
   *
   * @param path Where to; the ending says what
   * @throws {TypeError} If the ending is another
   */
  async save(path: string): Promise<void> {
    await writeFile(path, await this.#encode(path));
  }

  #encode(path: string): Promise<string | Uint8Array> {
    const ending = typeof path === "string" ? path.split(".").at(-1)!.toLowerCase() : "";
    if (ending === "png") return this.toPng({ background: "white" });
    if (ending === "svg") return this.toSvg();
    if (ending === "html") return this.toHtml();
    if (ending === "json") return Promise.resolve(`${JSON.stringify(this.spec, null, 2)}\n`);
    throw new TypeError(
      `Cannot save a chart: a path that ends with ${
        ENDINGS.map((name) => `.${name}`).join(", ")
      } is required, ` +
        `got ${JSON.stringify(path) ?? "nothing"}`,
    );
  }

  /** What a notebook shows: the interactive chart, a picture for frontends that have none, and the description. */
  async [DISPLAY](): Promise<MimeBundle> {
    const text = { "text/plain": this.description };
    try {
      const png = await this.toPng();
      const bundle = {
        "application/vnd.vegalite.v5+json": this.spec,
        "image/png": png.toBase64(),
        ...text,
      };
      return await display(withMetadata(bundle, { "image/png": sizeOf(png) }));
    } catch (error) {
      // An error in a display hook would hide the chart without a word.
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
    `Cannot make a chart: a Vega-Lite specification with one of ${
      PARTS.join(", ")
    } is required, got ${got}`,
  );
}

/** The size at which a picture is shown; a frontend would show it as large as it has pixels. */
function sizeOf(png: Uint8Array): { readonly width: number; readonly height: number } {
  const header = new DataView(png.buffer, png.byteOffset);
  const at = (offset: number) => Math.round(header.getUint32(offset) / PICTURE_SCALE);
  return { width: at(16), height: at(20) };
}
