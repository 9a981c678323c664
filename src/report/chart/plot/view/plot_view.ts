import type { ChartSpec } from "../../chart_spec.ts";
import { ZOOM_WHEEL } from "../../chart_config.ts";
import { whiskers } from "../../grammar/interval_view.ts";
import { has, mark, referenceLine } from "../../mark.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../../palette.ts";
import { barSigns } from "./bar_signs.ts";
import { boxLayers } from "./box_layers.ts";
import type { PlotColumn, PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";

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
    ...rules.flatMap((rule) =>
      referenceLine(rule, {
        scaleOf: (axis) => {
          const { type } = view[isFlat ? axis === "x" ? "y" : "x" : axis];
          return { type, ...(type === "temporal" && { scale: { type: "utc" } }) };
        },
        places: {
          x: { align: "left", dx: 4, y: -6 },
          y: { align: "right", dy: -6, x: view.widthPx },
        },
        color: QUIET_COLOR,
      })
    ),
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
  const { mark: type, x, y, columns, options, widthPx, prepared } = view;
  const isNumeric = x.type !== "nominal" && y.type !== "nominal";
  const isPlain = isNumeric && columns.facet === null && type !== "rect" && type !== "histogram";
  const select = { type: "interval", zoom: ZOOM_WHEEL };
  const bars = new Set(prepared.rows.map((row) => row[x.field])).size;
  const barPx = Math.max(1, Math.min(40, Math.floor(0.8 * widthPx / bars)));
  return mark(type === "histogram" ? "bar" : type, {
    params: isPlain ? [{ name: "zoom", select, bind: "scales" }] : undefined,
    tooltip: true,
    ...(type === "point" && { filled: true, opacity: 0.7 }),
    ...(type === "point" && columns.size === null && { size: 24 }),
    ...(type === "bar" && isNumeric && { width: barPx }),
    ...(columns.color === null && { color: MAIN_COLOR }),
    ...((options.xDomain ?? options.yDomain) !== undefined && { clip: true }),
    ...encodingOf(view),
  });
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
  return mark("point", {
    transform: [
      {
        window: [before, after].map((one) => ({ ...one, field: y.field })),
        sort: [{ field: x.field }],
        groupby: [color, facet].flatMap((one) => one === null ? [] : [one.field]),
      },
      { filter: `${has(y.field)} && !${has("before")} && !${has("after")}` },
    ],
    ...{ filled: true, size: 24, ...color === null && { color: MAIN_COLOR } },
    ...encoding,
  });
}

/** Intervals of means: a band beneath a line, rules over bars and beneath points. */
function intervalLayers(view: PlotView): readonly ChartSpec[] {
  const { mark: type, y: { field } } = view;
  const { x, y, xOffset, color = MAIN_COLOR } = encodingOf(view);
  const [low, high] = [`${field} from`, `${field} to`];
  const place = { x, y, ...xOffset !== undefined && { xOffset } };
  if (type === "bar") return whiskers(place, [low, high]);
  const ends = { tooltip: true, ...place, color, y: { ...y as ChartSpec, field: low }, y2: high };
  return [
    type === "line" || type === "area"
      ? mark("area", { opacity: 0.22, ...ends })
      : mark("rule", { strokeWidth: 1.5, ...ends }),
  ];
}
