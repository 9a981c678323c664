import { changeChart } from "./chart_changes.ts";
import type { ChartSpec } from "./chart_spec.ts";
import type { ChartLayout } from "./lay_out_spec.ts";

/** A narrower panel belongs to the wider one beside it, as a year does to its months; others stand beneath each other. */
const PANEL_PX = 150;

const CELL_PX = 20;
// As small as letters get on a telephone.
const CELL_FONT_PX = 9;

/**
 * Specification of a chart for a phone: narrower pictures, stacked panels, and shorter lines of text.
 *
 * @param layout Parts of the chart; `undefined` of one that was made of a specification
 * @param widthPx Width of the pictures in pixels
 * @returns `null` if the chart is narrow enough already
 */
export function narrowChart(
  chart: { readonly spec: ChartSpec; readonly description: string },
  layout: ChartLayout | undefined,
  widthPx: number,
): ChartSpec | null {
  const width = layout?.widthPx ?? widthOf(chart.spec);
  if (width <= widthPx) return null;
  const size: Size = { factor: widthPx / width, widthPx };
  if (layout === undefined) return withShortLegend(narrowView(chart.spec, size));
  const views = layout.views.map((view) => narrowView(view, size));
  return withShortLegend(changeChart(chart, { ...layout, views, widthPx }, {}).spec);
}

function withShortLegend(spec: ChartSpec): ChartSpec {
  const config = spec["config"] as ChartSpec | undefined;
  return {
    ...spec,
    config: { ...config, legend: { ...config?.["legend"] as object, columns: 2 } },
  };
}

interface Size {
  readonly factor: number;
  readonly widthPx: number;
}

/** Width of the widest view; 0 if no view states one in pixels. */
function widthOf(view: ChartSpec): number {
  const own = typeof view["width"] === "number" ? view["width"] : 0;
  const parts = ["vconcat", "hconcat", "concat"].flatMap((name) => view[name] ?? []);
  const inner = view["spec"] === undefined ? [] : [view["spec"]];
  return Math.max(own, ...[...parts, ...inner].map((part) => widthOf(part as ChartSpec)));
}

function narrowView(view: ChartSpec, size: Size): ChartSpec {
  const { hconcat, columns, ...rest } = isMonthGrid(view) ? turned(view) : view;
  const sized = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, narrowPart(name, value, size)]),
  );
  if (!Array.isArray(hconcat)) {
    return { ...sized, ...(columns !== undefined && { columns: 1 }), ...oneColumn(view, size) };
  }
  const panels = hconcat as readonly ChartSpec[];
  if (panels.some(isMonthGrid)) {
    const below = panels.map((panel) => isMonthGrid(panel) ? filling(panel, size) : named(panel));
    return { ...sized, vconcat: below };
  }
  const widths = panels.map(widthOf);
  if (Math.min(...widths) < PANEL_PX && Math.max(...widths) > Math.min(...widths)) {
    return { ...sized, hconcat: panels.map((panel) => narrowView(panel, size)) };
  }
  return { ...sized, vconcat: panels.map((panel) => filling(panel, size)) };
}

function narrowPart(name: string, value: unknown, size: Size): unknown {
  if (name === "width" && typeof value === "number") return Math.round(value * size.factor);
  if (name === "vconcat" || name === "layer") {
    return (value as readonly ChartSpec[]).map((part) => narrowView(part, size));
  }
  if (name === "encoding") return withoutColumns(value as Readonly<Record<string, ChartSpec>>);
  if (name === "mark" && typeof value === "object") {
    const { x, ...mark } = value as ChartSpec;
    // A place in pixels is the end of the picture; small ones are distances from its beginning.
    const isEnd = typeof x === "number" && x > PANEL_PX;
    return isEnd ? { ...mark, x: Math.round(x * size.factor) } : value;
  }
  return value;
}

// Twelve months beside each other leave 20 pixels for a number.
function isMonthGrid({ encoding, layer }: ChartSpec): boolean {
  const { x } = (encoding ?? {}) as { readonly x?: AxisChannel };
  return Array.isArray(layer) && (x?.scale?.domain?.length ?? 0) >= 12;
}

interface AxisChannel {
  readonly axis?: object | null;
  readonly scale?: { readonly domain?: readonly unknown[] };
}

/** Grid with a row a month and a column a year, so that each number has room. */
function turned(view: ChartSpec): ChartSpec {
  const { x, y, ...others } = view["encoding"] as {
    readonly x: AxisChannel;
    readonly y: AxisChannel;
  };
  const [above, beside] = [{ ...x.axis, orient: "left" }, { ...y.axis, orient: "top" }];
  return {
    ...view,
    height: CELL_PX * x.scale!.domain!.length,
    encoding: { x: { ...y, axis: beside }, y: { ...x, axis: above }, ...others },
    layer: (view["layer"] as readonly ChartSpec[]).map((part) => {
      const mark = part["mark"] as ChartSpec | undefined;
      return mark?.["type"] === "text"
        ? { ...part, mark: { ...mark, fontSize: CELL_FONT_PX, lineHeight: CELL_FONT_PX + 1 } }
        : part;
    }),
  };
}

/** Rows beside a grid, which lose its names beneath it. */
function named(panel: ChartSpec): ChartSpec {
  const { y, ...others } = panel["encoding"] as { readonly y: AxisChannel };
  return { ...panel, encoding: { y: { ...y, axis: { domain: false, ticks: false } }, ...others } };
}

/** Channels whose legends have as many columns as those of the chart. */
function withoutColumns(encoding: Readonly<Record<string, ChartSpec>>): ChartSpec {
  return Object.fromEntries(
    Object.entries(encoding).map(([channel, own]) => {
      const { columns, ...legend } = own["legend"] as ChartSpec ?? {};
      return [channel, columns === undefined ? own : { ...own, legend }];
    }),
  );
}

/** Panels of a grid fill the width, one a row. */
function oneColumn({ concat, spec }: ChartSpec, size: Size): ChartSpec {
  if (Array.isArray(concat)) {
    return { concat: (concat as readonly ChartSpec[]).map((panel) => filling(panel, size)) };
  }
  return spec === undefined ? {} : { spec: filling(spec as ChartSpec, size) };
}

function filling(panel: ChartSpec, { widthPx }: Size): ChartSpec {
  const width = widthOf(panel);
  return width === 0 ? panel : narrowView(panel, { factor: widthPx / width, widthPx });
}
