import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";
import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import { partHtml } from "./html/part_html.ts";
import type { SheetContent } from "./sheet_content.ts";
import { tableText } from "./html/shown_table.ts";
import { SHEET_STYLE } from "./html/sheet_style.ts";

/** A part of a tear sheet: text, charts and tables under one heading. */
export class SheetPart implements Required<SheetContent> {
  /** Name of the part. */
  readonly name: string;
  /** Its heading. */
  readonly title: string;
  /** Paragraphs. */
  readonly paragraphs: readonly string[];
  /** Key numbers. */
  readonly numbers: NonNullable<SheetContent["numbers"]>;
  /** Sentences under their topics. */
  readonly topics: NonNullable<SheetContent["topics"]>;
  /** Small charts in pairs. */
  readonly small: readonly Chart[];
  /** Charts. */
  readonly charts: readonly Chart[];
  /** Tables with their captions. */
  readonly tables: Readonly<Record<string, DataFrame>>;

  /**
   * Builds a part.
   *
   * @param content Content of the part
   */
  constructor(content: SheetContent) {
    const { name, title, paragraphs = [], numbers = [], topics = [] } = content;
    const { small = [], charts = [], tables = {} } = content;
    this.name = name;
    this.title = title;
    this.paragraphs = paragraphs;
    this.numbers = numbers;
    this.topics = topics;
    this.small = small;
    this.charts = charts;
    this.tables = tables;
  }

  /** The part as text, with its charts described in sentences. */
  get text(): string {
    const tables = Object.entries(this.tables).map(([caption, frame]) => tableText(caption, frame));
    const pictures = [...this.small, ...this.charts].map((chart) => chart.description);
    const topics = this.topics.map(({ topic, text }) => `${topic}: ${text}`);
    const numbers = this.numbers
      .map(({ label, value, note }) => `${label}: ${value}${note === "" ? "" : ` (${note})`}`)
      .join("\n");
    const isSummary = this.numbers.length > 0;
    return [
      ...(isSummary ? [...topics, numbers] : [this.title, ...this.paragraphs, ...topics]),
      ...pictures,
      ...tables,
    ].filter((text) => text !== "").join("\n\n");
  }

  /** Display in a notebook. */
  async [DISPLAY](): Promise<MimeBundle> {
    const html = `<style>${SHEET_STYLE}</style><div ` +
      `class="scoreframe-sheet">${await partHtml(this, { place: "notebook" })}</div>`;
    return await display({ "text/html": html, "text/plain": this.text });
  }
}
