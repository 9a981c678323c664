import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { formatFrame } from "../notebook/frame/frame_bundle.ts";
import { partHtml } from "./part_html.ts";
import type { KeyNumber, SheetContent, Topic } from "./sheet_content.ts";
import { shownFrame } from "./shown_frame.ts";
import { SHEET_STYLE } from "./sheet_style.ts";

const SHOWN = { edgeRows: 40, maxColumns: 14 };

/** A part of a tear sheet: text, pictures and tables under one heading. */
export class SheetPart implements Required<SheetContent> {
  /** Under which name the part is had alone. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** Paragraphs. */
  readonly paragraphs: readonly string[];
  /** Numbers that are read first. */
  readonly numbers: readonly KeyNumber[];
  /** Sentences under their topics. */
  readonly topics: readonly Topic[];
  /** Pictures. */
  readonly charts: readonly Chart[];
  /** Tables with their captions. */
  readonly tables: Readonly<Record<string, DataFrame>>;

  /**
   * Puts a part together.
   *
   * @param content What it holds
   */
  constructor(content: SheetContent) {
    const { name, title, paragraphs = [], numbers = [], topics = [] } = content;
    const { charts = [], tables = {} } = content;
    this.name = name;
    this.title = title;
    this.paragraphs = paragraphs;
    this.numbers = numbers;
    this.topics = topics;
    this.charts = charts;
    this.tables = tables;
  }

  /** The part in words: what its pictures show stands in sentences. */
  get text(): string {
    const tables = Object.entries(this.tables)
      .map(([caption, frame]) => `${caption}\n${formatFrame(shownFrame(frame), SHOWN)}`);
    const pictures = this.charts.map((chart) => chart.description);
    const topics = this.topics.map(({ topic, text }) => `${topic}: ${text}`);
    const numbers = this.numbers
      .map(({ label, value, note }) => `${label}: ${value}${note === "" ? "" : ` (${note})`}`)
      .join("\n");
    return [this.title, ...this.paragraphs, numbers, ...topics, ...pictures, ...tables]
      .filter((text) => text !== "").join("\n\n");
  }

  /** What a notebook shows. */
  async [DISPLAY](): Promise<MimeBundle> {
    const html = `<style>${SHEET_STYLE}</style><div class="scoreframe-sheet">${await partHtml(
      this,
      "notebook",
    )}</div>`;
    return await display({ "text/html": html, "text/plain": this.text });
  }
}
