import { Chart } from "../chart.ts";
import { CHART_CONFIG } from "../chart_config.ts";
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
  /** Rows that several pictures share, by name. @default none */
  readonly datasets?: Readonly<Record<string, readonly Row[]>>;
}

const LINE_CHARACTERS = 112;

/** Puts title, pictures and footnote together. */
export function layOutChart(layout: ChartLayout): Chart {
  const { title, subtitle, footnote, description, views, datasets } = layout;
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description,
    title: { text: title, subtitle: subtitle.flatMap((line) => wrap(line)), anchor: "start" },
    vconcat: [...views, footnoteView(footnote)],
    spacing: 14,
    ...(datasets !== undefined && { datasets }),
    config: CHART_CONFIG,
  };
  return new Chart(spec, { description });
}

function footnoteView(footnote: string): ChartSpec {
  const lines = wrap(footnote);
  return {
    data: { values: [{}] },
    width: 10,
    height: 12 * lines.length,
    mark: {
      type: "text",
      text: [...lines],
      align: "left",
      baseline: "top",
      fontSize: 10,
      x: 0,
      y: 0,
      lineHeight: 12,
    },
  };
}

/** Text in lines of a length that a chart has room for. */
export function wrap(text: string, characters = LINE_CHARACTERS): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > characters) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
