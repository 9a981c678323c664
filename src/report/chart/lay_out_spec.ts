import { CHART_CONFIG } from "./chart_config.ts";
import type { ChartSpec, VegaSpec } from "./chart_spec.ts";
import { textWidth } from "./font_widths.ts";
import { wrapWords } from "../../base/wording/words.ts";

/** Parts of a chart: title, caption, footnote and pictures. */
export interface ChartLayout {
  /** Title. */
  readonly title: string;
  /** Observations and period, which a sheet states once for all charts. @default "" */
  readonly sample?: string;
  /** Lines beneath the title. */
  readonly subtitle: (sample: string) => readonly string[];
  /** Origin of the numbers. */
  readonly footnote: string;
  /** Share of the rows that are synthetic; the footnote ends with it, whatever it says. @default none */
  readonly synthetic?: "all" | "some" | undefined;
  /** Description in words, after the title if there is one. */
  readonly describe: (title: string | null, sample: string) => string;
  /** The pictures, one below the other. */
  readonly views: readonly ChartSpec[];
  /** Width of the pictures in pixels, which also limits the lines of text above and below. */
  readonly widthPx: number;
  /** True if the pictures share a time axis, so that they pan and zoom together. @default false */
  readonly sharesTime?: boolean;
  /** Rows that several pictures share, by name. @default none */
  readonly datasets?: Readonly<Record<string, readonly ChartSpec[]>>;
  /** Colours of the series. @default those of the library */
  readonly colors?: readonly string[] | undefined;
  /** Font of all text. @default that of the library */
  readonly font?: string | undefined;
}

const SYNTHETIC = { all: "Synthetic rows", some: "Partly synthetic rows" };
const LEAST_LINE_PX = 280;
// 14 in bold, which is a tenth wider.
const TITLE_PX = 15.5;
const SUBTITLE_PX = 10.5;
const FOOTNOTE_PX = 10;
const SHARED = { resolve: { scale: { x: "shared" } } };
const LAYOUTS = new WeakMap<object, ChartLayout>();

/** Combines title, pictures and footnote. The text alternative ends with the footnote, so that no reader misses it. */
export function layOutSpec(
  layout: ChartLayout,
): { readonly spec: VegaSpec & ChartSpec; readonly description: string } {
  const { title, sample = "", synthetic, views, widthPx, sharesTime = false, datasets } = layout;
  const made = synthetic === undefined ? [] : [SYNTHETIC[synthetic]];
  const footnote = [layout.footnote, ...made].filter((text) => text !== "").join(" · ");
  const said = layout.describe(title, sample);
  const description = footnote === "" ? said : `${said} ${footnote}.`;
  const linePx = Math.max(LEAST_LINE_PX, widthPx);
  const heading = wrapTitle(title, linePx);
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description,
    title: {
      text: heading.length === 1 ? heading[0]! : heading,
      subtitle: layout.subtitle(sample).flatMap((line) => wrapSubtitle(line, linePx)),
      anchor: "start",
    },
    vconcat: [
      ...(sharesTime ? [{ vconcat: [...views], spacing: 14, ...SHARED }] : views),
      ...(footnote === "" ? [] : [footnoteView(wrap(footnote, linePx, FOOTNOTE_PX))]),
    ],
    spacing: 14,
    ...(datasets !== undefined && { datasets }),
    config: CHART_CONFIG,
  };
  // Its parts are put together from pieces that no type of Vega-Lite describes.
  return { spec: spec as unknown as VegaSpec & ChartSpec, description };
}

/** Lines of text beneath the pictures. */
export function footnoteView(lines: readonly string[]): ChartSpec {
  const look = {
    align: "left",
    baseline: "top",
    fontSize: FOOTNOTE_PX,
    x: 0,
    y: 0,
    lineHeight: 12,
  };
  const mark = { type: "text", text: [...lines], ...look };
  return { data: { values: [{}] }, width: 10, height: 12 * lines.length, mark };
}

/** Wraps a title so that its last line is not a single word; lines become shorter, not more. */
function wrapTitle(title: string, linePx: number): readonly string[] {
  const widest = wrap(title, linePx, TITLE_PX);
  for (let px = linePx; px > 0.7 * linePx; px -= 10) {
    const lines = wrap(title, px, TITLE_PX);
    if (lines.length > widest.length) break;
    if (TITLE_PX * textWidth(lines.at(-1)!) > linePx / 5) return lines;
  }
  return widest;
}

/** Wraps a subtitle to lines of at most the given width in pixels. */
export function wrapSubtitle(text: string, linePx: number): readonly string[] {
  return wrap(text, linePx, SUBTITLE_PX);
}

/** Wraps text to lines of at most the given width in pixels. */
function wrap(text: string, linePx: number, fontSize: number): readonly string[] {
  return wrapWords(text, (line) => fontSize * textWidth(line) <= linePx);
}

/** Keeps the parts of a chart, for changes and narrower drawings. */
export function keepLayout<Chart extends object>(chart: Chart, layout: ChartLayout): Chart {
  LAYOUTS.set(chart, layout);
  return chart;
}

/** The parts of a chart; `undefined` for one made from a specification. */
export function layoutOf(chart: object): ChartLayout | undefined {
  return LAYOUTS.get(chart);
}
