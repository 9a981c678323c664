import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { withMetadata } from "../notebook/mime_bundle.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { PICTURE_SCALE, renderPng, renderSvg } from "./render_chart.ts";

/** What a chart shows in words, for those who cannot see it and for terminals. */
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
}

/** A chart: a specification that can be changed and drawn again, and pictures of it. */
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
   */
  constructor(spec: ChartSpec, text: ChartText) {
    this.spec = spec;
    this.description = text.description;
  }

  /** The chart as an SVG document. */
  toSvg(): Promise<string> {
    return renderSvg(this.spec);
  }

  /** The chart as a PNG file, in twice the resolution of a screen. */
  toPng(options: PictureOptions = {}): Promise<Uint8Array> {
    return renderPng(this.spec, options.background);
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

/** The size at which a picture is shown; a frontend would show it as large as it has pixels. */
function sizeOf(png: Uint8Array): { readonly width: number; readonly height: number } {
  const header = new DataView(png.buffer, png.byteOffset);
  const at = (offset: number) => Math.round(header.getUint32(offset) / PICTURE_SCALE);
  return { width: at(16), height: at(20) };
}
