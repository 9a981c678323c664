import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import type { ChartSpec } from "./chart_spec.ts";
import { renderPng, renderSvg } from "./render_chart.ts";

/** What a chart shows in words, for those who cannot see it and for terminals. */
export interface ChartText {
  /** One sentence. */
  readonly description: string;
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
  toPng(): Promise<Uint8Array> {
    return renderPng(this.spec);
  }

  /** What a notebook shows: the interactive chart, a picture for frontends that have none, and the description. */
  async [DISPLAY](): Promise<MimeBundle> {
    const text = { "text/plain": this.description };
    try {
      const png = await this.toPng();
      return await display({
        "application/vnd.vegalite.v5+json": this.spec,
        "image/png": png.toBase64(),
        ...text,
      });
    } catch (error) {
      // An error in a display hook would hide the chart without a word.
      const reason = error instanceof Error ? error.message : String(error);
      return await display({ "text/plain": `${this.description} (no picture: ${reason})` });
    }
  }
}
