import type { ChartSpec } from "./chart_spec.ts";

/** The font in which charts are written; it comes with the package. */
export const CHART_FONT = "DejaVu Sans";

// Grey that is read on white (4.5 to 1) and on the ground of dark themes (4.2 to 1): a chart has no ground of its own.
const TEXT = "#777777";
const LINE = "#888888";

/** How every chart looks: without a ground of its own, so that it stands on the page's, light or dark. */
export const CHART_CONFIG: ChartSpec = {
  background: "transparent",
  font: CHART_FONT,
  view: { stroke: null, fill: null },
  title: { color: TEXT, subtitleColor: TEXT },
  axis: {
    labelColor: TEXT,
    titleColor: TEXT,
    tickColor: LINE,
    domainColor: LINE,
    gridColor: LINE,
    gridOpacity: 0.35,
  },
  legend: { labelColor: TEXT, titleColor: TEXT },
  header: { labelColor: TEXT, titleColor: TEXT },
  text: { color: TEXT },
  rule: { color: LINE },
};
