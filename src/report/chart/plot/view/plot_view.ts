import type { ChartSpec } from "../../chart_spec.ts";
import { ZOOM_WHEEL } from "../../chart_config.ts";
import { whiskers } from "../../grammar/interval_view.ts";
import { MAIN_COLOR } from "../../palette.ts";
import { barSigns } from "./bar_signs.ts";
import { boxLayers } from "./box_layers.ts";
import { facetColumns } from "../facet_columns.ts";
import { lonePoints } from "./lone_points.ts";
import type { PlotColumn, PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";
import { ruleLayers } from "./rule_layers.ts";

const LONE = "lone point";

/** One picture: marks, their intervals, places without a value, reference lines. */
export function plotView(view: PlotView): ChartSpec {
  const { prepared, mark, columns, options: { rules = [] } } = view;
  const { rows, lone } = withLone(view);
  const intervals = prepared.hasInterval ? intervalLayers(view) : [];
  const layers = [
    ...(mark === "bar" ? [] : intervals),
    ...(mark === "boxplot" ? boxLayers(view) : [markLayer(view, lone)]),
    ...(lone ? [loneLayer(view)] : []),
    ...(mark === "bar" ? barSigns(view) : []),
    ...(mark === "bar" ? intervals : []),
    ...rules.flatMap((rule) => ruleLayers(rule, view)),
  ];
  const spec = {
    width: view.widthPx,
    height: view.heightPx,
    ...(layers.length === 1 ? layers[0]! : { layer: layers }),
  };
  if (columns.facet === null) return { ...spec, data: { values: rows } };
  return { data: { values: rows }, ...facetOf(columns.facet, spec, view) };
}

function facetOf(facet: PlotColumn, spec: ChartSpec, { prepared }: PlotView): ChartSpec {
  const values = new Set(prepared.rows.map((row) => row[facet.field]));
  return {
    facet: { field: facet.field, type: "nominal", title: facet.name, sort: [...values] },
    columns: facetColumns(values.size),
    spec,
  };
}

/** Rows, with a mark on those that a line would not show. */
function withLone({ prepared, mark, x, y, columns }: PlotView) {
  const { rows } = prepared;
  if (mark !== "line" || y.type !== "quantitative") return { rows, lone: false };
  const by = [columns.color, columns.facet].flatMap((one) => one === null ? [] : [one.field]);
  const alone = new Set(lonePoints(rows, { x: x.field, y: y.field, by }));
  if (alone.size === 0) return { rows, lone: false };
  return { rows: rows.map((row) => alone.has(row) ? { ...row, [LONE]: true } : row), lone: true };
}

function markLayer(view: PlotView, isLone: boolean): ChartSpec {
  const { mark, x, y, columns, options, widthPx, prepared } = view;
  const isPlain = x.type !== "nominal" && y.type !== "nominal" && columns.facet === null &&
    mark !== "rect" && mark !== "histogram";
  const bars = new Set(prepared.rows.map((row) => row[x.field])).size;
  const isThin = mark === "bar" && x.type !== "nominal" && y.type !== "nominal";
  return {
    ...(isPlain &&
      {
        params: [{ name: "zoom", select: { type: "interval", zoom: ZOOM_WHEEL }, bind: "scales" }],
      }),
    mark: {
      type: mark === "histogram" ? "bar" : mark,
      ...(mark === "point" && { filled: true, opacity: 0.7 }),
      ...(mark === "point" && columns.size === null && { size: 24 }),
      ...(isThin && { width: Math.max(1, Math.min(40, Math.floor(0.8 * widthPx / bars))) }),
      ...(columns.color === null && { color: MAIN_COLOR }),
      ...((options.xDomain ?? options.yDomain) !== undefined && { clip: true }),
    },
    encoding: { ...encodingOf(view, isLone), tooltip: tipsOf(view) },
  };
}

function tipsOf({ x, y, columns, mark, prepared }: PlotView): readonly ChartSpec[] {
  if (mark === "histogram") {
    const ends = ["from", "to", "rows"].map((field) => ({
      field,
      type: "quantitative",
      title: field,
    }));
    return [...ends, ...(columns.color === null ? [] : [tipOf(columns.color)])];
  }
  const others = [columns.color, columns.size, columns.facet].filter((one) => one !== null);
  const all = [x, y, ...others].map(tipOf);
  const ends = prepared.hasInterval
    ? [["from", "95% from"], ["to", "to"]].map(([end, title]) => ({
      field: `${y.field} ${end}`,
      type: "quantitative",
      title,
    }))
    : [];
  return [...new Map([...all, ...ends].map((tip) => [tip.field, tip])).values()];
}

function tipOf({ field, type, name }: Pick<PlotColumn, "field" | "type" | "name">) {
  return { field, type, title: name };
}

/** Intervals of means: a band beneath a line, rules over bars and beneath points. */
function intervalLayers(view: PlotView): readonly ChartSpec[] {
  const { mark, x, y, columns: { color } } = view;
  const encoding = encodingOf(view, false) as Record<string, ChartSpec>;
  const channel = y.type === "quantitative" ? "y" : "x";
  const { field } = channel === "y" ? y : x;
  const [low, high] = [`${field} from`, `${field} to`];
  const isBand = mark === "line" || mark === "area";
  const kept = ["x", "y", "xOffset", "yOffset", ...mark === "bar" ? [] : ["color"]];
  const place = Object.fromEntries(Object.entries(encoding).filter(([key]) => kept.includes(key)));
  if (mark === "bar") return whiskers(place, { low, high, channel });
  const ends = { [channel]: { ...place[channel], field: low }, [`${channel}2`]: { field: high } };
  const paint = color === null ? { color: MAIN_COLOR } : {};
  const look = isBand ? { type: "area", opacity: 0.22 } : { type: "rule", strokeWidth: 1.5 };
  return [{ mark: { ...look, ...paint }, encoding: { ...place, ...ends } }];
}

function loneLayer(view: PlotView): ChartSpec {
  const { columns: { color } } = view;
  const { tooltip: _, strokeDash: _dash, ...encoding } = encodingOf(view, true) as Record<
    string,
    ChartSpec
  >;
  return {
    transform: [{ filter: `datum[${JSON.stringify(LONE)}]` }],
    mark: { type: "point", filled: true, size: 24, ...(color === null && { color: MAIN_COLOR }) },
    encoding,
  };
}
