import type { ChartSpec } from "../../chart_spec.ts";
import { ZOOM_WHEEL } from "../../chart_config.ts";
import { whiskers } from "../../grammar/interval_view.ts";
import { MAIN_COLOR } from "../../palette.ts";
import { barSigns } from "./bar_signs.ts";
import { boxLayers } from "./box_layers.ts";
import type { PlotColumn, PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";
import { ruleLayers } from "./rule_layers.ts";

/** One picture: marks, their intervals, places without a value, reference lines. */
export function plotView(view: PlotView): ChartSpec {
  const { prepared, mark, columns: { facet }, options: { rules = [] }, isFlat } = view;
  const marks = mark === "boxplot" ? boxLayers(view) : [markLayer(view)];
  const intervals = prepared.hasInterval ? intervalLayers(view) : [];
  const upright = mark === "bar"
    ? [...marks, ...barSigns(view), ...intervals]
    : [...intervals, ...marks, ...hasLone(view) ? [loneLayer(view)] : []];
  const layers = [
    ...(isFlat ? upright.map(turn) : upright),
    ...rules.flatMap((rule) => ruleLayers(rule, view)),
  ];
  const spec = {
    width: view.widthPx,
    height: view.heightPx,
    ...(layers.length === 1 ? layers[0]! : { layer: layers }),
  };
  const data = { values: prepared.rows };
  return facet === null ? { ...spec, data } : { data, ...facetOf(facet, spec, view) };
}

const TURNED: Readonly<Record<string, string>> = {
  ...{ x: "y", y: "x", x2: "y2", y2: "x2", xOffset: "yOffset" },
};

/** A layer of upright bars as one of horizontal ones. */
function turn({ encoding, ...layer }: ChartSpec): ChartSpec {
  const channels = Object.entries(encoding as Readonly<Record<string, ChartSpec>>);
  const turned = channels.map(([name, channel]) => [
    TURNED[name] ?? name,
    channel["value"] === "height" ? { value: "width" } : channel,
  ]);
  return { ...layer, encoding: Object.fromEntries(turned) };
}

function facetOf(facet: PlotColumn, spec: ChartSpec, { prepared, side }: PlotView): ChartSpec {
  const values = new Set(prepared.rows.map((row) => row[facet.field]));
  return {
    facet: { field: facet.field, type: "nominal", title: facet.name, sort: [...values] },
    columns: side,
    spec,
  };
}

function markLayer(view: PlotView): ChartSpec {
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
      tooltip: true,
      ...(mark === "point" && { filled: true, opacity: 0.7 }),
      ...(mark === "point" && columns.size === null && { size: 24 }),
      ...(isThin && { width: Math.max(1, Math.min(40, Math.floor(0.8 * widthPx / bars))) }),
      ...(columns.color === null && { color: MAIN_COLOR }),
      ...((options.xDomain ?? options.yDomain) !== undefined && { clip: true }),
    },
    encoding: encodingOf(view),
  };
}

function hasLone({ mark, y, prepared: { rows }, columns: { color, facet } }: PlotView): boolean {
  if (mark !== "line" || y.type !== "quantitative") return false;
  const series = Map.groupBy(
    rows,
    (row) => JSON.stringify([row[color?.field!], row[facet?.field!]]),
  );
  return rows.some((row) => row[y.field] === null) ||
    [...series.values()].some((own) => own.length === 1);
}

/** Points of a line that stand between gaps or ends, where it has no length. */
function loneLayer(view: PlotView): ChartSpec {
  const { x, y, columns: { color, facet } } = view;
  const { strokeDash: _, ...encoding } = encodingOf(view);
  const [before, after] = [{ op: "lag", as: "before" }, { op: "lead", as: "after" }];
  return {
    transform: [
      {
        window: [before, after].map((one) => ({ ...one, field: y.field })),
        sort: [{ field: x.field }],
        groupby: [color, facet].flatMap((one) => one === null ? [] : [one.field]),
      },
      {
        filter: [`datum[${JSON.stringify(y.field)}]`, "datum.before", "datum.after"]
          .map((value, i) => `${i === 0 ? "" : "!"}isValid(${value})`).join(" && "),
      },
    ],
    mark: { type: "point", filled: true, size: 24, ...color === null && { color: MAIN_COLOR } },
    encoding,
  };
}

/** Intervals of means: a band beneath a line, rules over bars and beneath points. */
function intervalLayers(view: PlotView): readonly ChartSpec[] {
  const { mark, y: { field }, columns: { color } } = view;
  const { x, y, xOffset, ...channels } = encodingOf(view) as Record<string, ChartSpec>;
  const [low, high] = [`${field} from`, `${field} to`];
  const place = { x, y, ...xOffset && { xOffset } } as ChartSpec;
  if (mark === "bar") return whiskers(place, [low, high]);
  const isBand = mark === "line" || mark === "area";
  const look = isBand ? { type: "area", opacity: 0.22 } : { type: "rule", strokeWidth: 1.5 };
  return [{
    mark: { ...look, tooltip: true, ...color === null && { color: MAIN_COLOR } },
    encoding: {
      ...place,
      ...color !== null && { color: channels["color"] },
      y: { ...y, field: low },
      y2: { field: high },
    },
  }];
}
