import type { ChartSpec } from "./chart_spec.ts";
import { TEXT_COLOR } from "./palette.ts";

/** The font in which charts are written; it comes with the package. */
export const CHART_FONT = "DejaVu Sans";

/** Wheel events that zoom: those with Ctrl or ⌘; others scroll the page. */
export const ZOOM_WHEEL = "wheel![event.ctrlKey || event.metaKey]";

// A chart has no background: its grey has to be legible on any.
const TEXT = TEXT_COLOR;
const LINE = "#888888";

const INKED = ["title", "axis", "legend", "header"];

/** A specification without the grey of titles and axes: JupyterLab and VS Code give those the ink of their light or dark theme. */
export function withoutInk(spec: ChartSpec): ChartSpec {
  const parts = Object.entries((spec["config"] ?? {}) as Readonly<Record<string, ChartSpec>>);
  const config = parts.map(([name, part]) =>
    INKED.includes(name)
      ? [name, Object.fromEntries(Object.entries(part).filter(([, value]) => value !== TEXT))]
      : [name, part]
  );
  return { ...spec, config: Object.fromEntries(config) };
}

/** Style of every chart, with a transparent background for light and dark pages. */
export const CHART_CONFIG: ChartSpec = {
  background: "transparent",
  // Verdana has the same widths; a browser without either uses its own font.
  font: `${CHART_FONT}, Verdana, sans-serif`,
  view: { stroke: null, fill: null },
  title: {
    color: TEXT,
    subtitleColor: TEXT,
    fontSize: 14,
    subtitleFontSize: 10.5,
    subtitleLineHeight: 14,
    subtitlePadding: 4,
    offset: 12,
    frame: "group",
    anchor: "start",
  },
  axis: {
    labelFontSize: 10,
    titleFontSize: 10,
    titleFontWeight: "normal",
    labelColor: TEXT,
    titleColor: TEXT,
    tickColor: LINE,
    domainColor: LINE,
    gridColor: LINE,
    gridOpacity: 0.35,
  },
  legend: {
    labelColor: TEXT,
    titleColor: TEXT,
    orient: "top",
    labelFontSize: 10,
    titleFontSize: 10,
    titleFontWeight: "normal",
    labelLimit: 0,
    columnPadding: 14,
  },
  header: { labelColor: TEXT, titleColor: TEXT },
  text: { color: TEXT },
  rule: { color: LINE },
};
