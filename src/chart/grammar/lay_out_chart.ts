import { Chart } from "../chart.ts";
import { CHART_CONFIG } from "../chart_config.ts";
import { textWidth } from "../font_widths.ts";
import type { ChartSpec } from "../chart_spec.ts";
import type { Row } from "./values.ts";

/** What stands around a picture, and the picture. */
export interface ChartLayout {
  /** What is shown. */
  readonly title: string;
  /** Observations and period, then what the reader has to know. */
  readonly subtitle: readonly string[];
  /** Where the numbers come from. */
  readonly footnote: string;
  /** What one would see. */
  readonly description: string;
  /** The pictures, one below the other. */
  readonly views: readonly ChartSpec[];
  /** Width of the pictures in pixels: text in front of them and beneath them has no longer lines. */
  readonly widthPx: number;
  /** Whether the pictures have one axis of time, so that they move and zoom together. @default false */
  readonly sharesTime?: boolean;
  /** Rows that several pictures share, by name. @default none */
  readonly datasets?: Readonly<Record<string, readonly Row[]>>;
}

const LEAST_LINE_PX = 280;
// 14 in bold, which is a tenth wider.
const TITLE_PX = 15.5;
const SUBTITLE_PX = 10.5;
const FOOTNOTE_PX = 10;
const SHARED = { resolve: { scale: { x: "shared" } } };

/** Puts title, pictures and footnote together. The text alternative ends with the footnote, which no reader shall miss. */
export function layOutChart(layout: ChartLayout): Chart {
  const { title, subtitle, footnote, views, widthPx, sharesTime = false, datasets } = layout;
  const description = `${layout.description} ${footnote}.`;
  const linePx = Math.max(LEAST_LINE_PX, widthPx);
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description,
    title: {
      text: oneOrMore(wrap(title, linePx, TITLE_PX)),
      subtitle: subtitle.flatMap((line) => wrap(line, linePx, SUBTITLE_PX)),
      anchor: "start",
    },
    vconcat: [
      ...(sharesTime ? [{ vconcat: [...views], spacing: 14, ...SHARED }] : views),
      footnoteView(wrap(footnote, linePx, FOOTNOTE_PX)),
    ],
    spacing: 14,
    ...(datasets !== undefined && { datasets }),
    config: CHART_CONFIG,
  };
  return new Chart(spec, { description });
}

function oneOrMore(lines: readonly string[]): string | readonly string[] {
  return lines.length === 1 ? lines[0]! : lines;
}

function footnoteView(lines: readonly string[]): ChartSpec {
  return {
    data: { values: [{}] },
    width: 10,
    height: 12 * lines.length,
    mark: {
      type: "text",
      text: [...lines],
      align: "left",
      baseline: "top",
      fontSize: FOOTNOTE_PX,
      x: 0,
      y: 0,
      lineHeight: 12,
    },
  };
}

/** Text in lines of at most so many pixels. */
function wrap(text: string, linePx: number, fontSize: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && fontSize * textWidth(longer) > linePx) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}
