import { ZOOM_WHEEL } from "../chart_config.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { textWidth } from "../font_widths.ts";
import { INSTANT_LABEL } from "../grammar/encodings.ts";
import { whiskers } from "../grammar/interval_view.ts";
import type { Row, Value } from "../grammar/values.ts";
import { has, mark, referenceLine } from "../mark.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../palette.ts";
import type { PlotColumn, PlotColumns } from "./plot_columns.ts";
import { type PlotPlan, type PlotRows, rangeAt } from "./plot_rows.ts";
import { colorChannels } from "./series_looks.ts";

/** A picture with its axes. */
export interface PlotView extends PlotPlan {
  readonly columns: PlotColumns & { readonly y: PlotColumn };
  /** Rows of the frame that can be drawn, and those that are. */
  readonly places: readonly number[];
  readonly prepared: PlotRows;
  /** Number of pictures side by side. */
  readonly side: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

// A zero that is nearer takes little room.
const FAR_FROM_ZERO = 0.2;
const LABEL_PX = 10;
// Zooming clips the picture, which would cut a point on its edge in half.
const POINT_PX = 6;
const TURNED: Readonly<Record<string, string>> = {
  ...{ x: "y", y: "x", x2: "y2", y2: "x2", xOffset: "yOffset" },
};

/** One picture: marks, their intervals, places without a value, reference lines. */
export function plotView(view: PlotView): ChartSpec {
  const { prepared, columns, options: { rules = [] }, isFlat, side } = view;
  const channels = channelsOf(view);
  const marks = markLayer(view, channels);
  const intervals = prepared.hasInterval ? intervalLayers(view, channels) : [];
  const upright = view.mark === "bar"
    ? [marks, ...barSigns(view, channels), ...intervals]
    : [...intervals, marks, ...hasLone(view) ? [loneLayer(view, channels)] : []];
  const layers = [
    ...(isFlat ? upright.map(turn) : upright),
    ...rules.flatMap((rule) =>
      referenceLine(rule, {
        scaleOf: (axis) => {
          const { type } = columns[isFlat ? axis === "x" ? "y" : "x" : axis];
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
  if (columns.facet === null) return { ...spec, data };
  const { field, name: title } = columns.facet;
  const sort = [...new Set(prepared.rows.map((row) => row[field]))];
  return { data, facet: { field, type: "nominal", title, sort }, columns: side, spec };
}

/** A layer of upright bars as one of horizontal ones. */
function turn({ encoding, ...layer }: ChartSpec): ChartSpec {
  const channels = Object.entries(encoding as Readonly<Record<string, ChartSpec>>);
  const turned = channels.map(([name, channel]) => [
    TURNED[name] ?? name,
    channel["value"] === "height" ? { value: "width" } : channel,
  ]);
  return { ...layer, encoding: Object.fromEntries(turned) };
}

/** The channels of the marks. */
function channelsOf(view: PlotView): ChartSpec {
  const { mark: type, columns: { color, size }, prepared: { rows, isStacked } } = view;
  const [x, y] = [axisOf(view, "x"), axisOf(view, "y")];
  const looks = colorChannels(color, rows, type);
  if (type === "histogram") {
    return { x: { ...x, field: "from", bin: "binned" }, x2: { field: "to" }, y, ...looks };
  }
  const isBeside = (type === "bar" || type === "boxplot") && color !== null && !isStacked;
  // Layers with other rows have the same places.
  const domain = [...new Set(rows.map((row) => row[color?.field!]))];
  return {
    ...{ x, y, ...looks },
    ...(isBeside && { xOffset: { field: color.field, type: "nominal", scale: { domain } } }),
    ...(size !== null && { size: { field: size.field, type: "quantitative", title: size.name } }),
  };
}

/** Axis of a picture, with a note on what it omits. */
function axisOf(view: PlotView, channel: "x" | "y"): ChartSpec {
  const { mark: type, options, prepared: { rows, isStacked }, columns } = view;
  const column = columns[channel];
  const { field, name } = column;
  if (column.type === "nominal") {
    const values = axisValues(field, rows, { by: options.sort ?? "frame", channel });
    const isFlat = channel === "x" && fits(values, view.widthPx);
    return {
      ...{ field, type: column.type, title: name, sort: values, scale: { domain: values } },
      ...(isFlat && { axis: { labelAngle: 0 } }),
    };
  }
  // The bins of a histogram have ends of their own, and its counts begin at 0.
  const domain = type === "histogram" ? undefined : options[`${channel}Domain`];
  const hasPoints = type === "point" || type === "line";
  const ends = {
    ...(hasPoints && { padding: POINT_PX, ...(channel === "x" && { nice: false }) }),
    ...(domain !== undefined && { domain, nice: false }),
  };
  if (column.type === "temporal") {
    const times = domain && { domain: domain.map((end) => Date.parse(String(end))) };
    const axis = { tickCount: 8, labelExpr: INSTANT_LABEL, labelOverlap: true };
    const scale = { type: "utc", ...ends, ...times };
    return { field, type: column.type, title: name, scale, axis };
  }
  const isLog = options[`${channel}Scale`] === "log" && (type !== "histogram" || channel === "x");
  const [isWhole, isCut] = [isWholeAxis(view, channel), omitsZero(view, channel)];
  return {
    ...{ field, type: column.type },
    title: isLog ? `${name}, logarithmic` : isCut ? `${name}, axis truncated` : name,
    scale: { ...(isLog ? { type: "log" } : { zero: !isCut && !isWhole }), ...ends },
    ...(isWhole && { axis: { tickMinStep: 1 } }),
    ...(type === "bar" || type === "area" ? { stack: isStacked ? "zero" : null } : {}),
  };
}

/** True if all values of the horizontal axis are whole numbers, which are positions, not amounts. */
function isWholeAxis({ columns, places }: PlotView, channel: "x" | "y"): boolean {
  const { values } = columns[channel];
  return channel === "x" && places.every((place) => Number.isInteger(values[place] ?? 0));
}

/** True if an axis omits zero because it is far from all values; false for a single value, which would have no axis. */
export function omitsZero(view: PlotView, channel: "x" | "y"): boolean {
  const { columns, mark: type, options, places } = view;
  const isPlace = type === "histogram" || (channel === "x" && isWholeAxis(view, channel));
  const isAmount = channel === "y" && (type === "bar" || type === "area");
  const isGiven = options[`${channel}Scale`] === "log" || options[`${channel}Domain`] !== undefined;
  if (columns[channel].type !== "quantitative" || isPlace || isAmount || isGiven) return false;
  const [low, high] = rangeAt(places, columns[channel]);
  const [near, far] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  return low * high > 0 && low < high && near! > FAR_FROM_ZERO * far!;
}

/** Values of a text axis in drawing order. The vertical axis keeps the order of the frame unless x is sorted by it. */
function axisValues(
  field: string,
  rows: readonly Row[],
  { by, channel }: { readonly by: string; readonly channel: "x" | "y" },
): readonly Value[] {
  const values = [...new Set(rows.map((row) => row[field] ?? null))];
  if (by === "frame") return values;
  const sign = by.startsWith("-") ? -1 : 1;
  if (by.endsWith(channel)) {
    return values.toSorted((a, b) =>
      sign * String(a).localeCompare(String(b), "en", { numeric: true })
    );
  }
  const totals = new Map<Value, number>();
  for (const row of rows) {
    const amount = Object.entries(row)
      .find(([name, value]) => name !== field && typeof value === "number")?.[1];
    const place = row[field] ?? null;
    totals.set(place, (totals.get(place) ?? 0) + Number(amount ?? 0));
  }
  return values.toSorted((a, b) => sign * (totals.get(a)! - totals.get(b)!));
}

/** True if all labels fit side by side below their positions. */
function fits(values: readonly Value[], widthPx: number): boolean {
  const widest = Math.max(0, ...values.map((value) => textWidth(String(value)) * LABEL_PX));
  return widest + 6 < widthPx / Math.max(1, values.length);
}

function markLayer(view: PlotView, channels: ChartSpec): ChartSpec {
  const { mark: type, columns: { x, y, color, size, facet }, options, widthPx } = view;
  const isNumeric = x.type !== "nominal" && y.type !== "nominal";
  const isPlain = isNumeric && facet === null && !["rect", "histogram", "boxplot"].includes(type);
  const select = { type: "interval", zoom: ZOOM_WHEEL };
  const bars = new Set(view.prepared.rows.map((row) => row[x.field])).size;
  const barPx = Math.max(1, Math.min(40, Math.floor(0.8 * widthPx / bars)));
  return mark(type === "histogram" ? "bar" : type, {
    params: isPlain ? [{ name: "zoom", select, bind: "scales" }] : undefined,
    tooltip: true,
    ...(type === "boxplot" && BOX),
    ...(type === "point" && { filled: true, opacity: 0.7 }),
    ...(type === "point" && size === null && { size: 24 }),
    ...(type === "bar" && isNumeric && { width: barPx }),
    ...(color === null && { color: MAIN_COLOR }),
    ...((options.xDomain ?? options.yDomain) !== undefined && { clip: true }),
    ...channels,
  });
}

// The number of rows is told under the pointer.
const BOX = {
  ...{ extent: "min-max", median: { color: "white", thickness: 2 } },
  detail: { field: "rows", type: "quantitative" },
};

/** Marks for bars without height: a dashed outline for a null, a line for a zero. */
function barSigns(view: PlotView, channels: ChartSpec): readonly ChartSpec[] {
  const { columns: { y: { field } }, prepared: { rows, isStacked } } = view;
  const { x, xOffset, color = MAIN_COLOR } = channels;
  const outline = { fillOpacity: 0.06, fill: QUIET_COLOR, stroke: QUIET_COLOR, strokeDash: [3, 3] };
  const height = { y: { value: 0 }, y2: { value: "height" } };
  const empty = mark("bar", { where: `!${has(field)}`, ...outline, x, xOffset, ...height });
  const zero = mark("tick", {
    where: `datum[${JSON.stringify(field)}] === 0`,
    ...{ thickness: 2, x, xOffset, y: { field, type: "quantitative" }, color },
  });
  const isThere = (wanted: null | 0) => rows.some((row) => row[field] === wanted);
  return [...(isThere(null) ? [empty] : []), ...(isThere(0) && !isStacked ? [zero] : [])];
}

/** Intervals of means: a band beneath a line, rules over bars and beneath points. */
function intervalLayers(view: PlotView, channels: ChartSpec): readonly ChartSpec[] {
  const { mark: type, columns: { y: { field } } } = view;
  const { x, y, xOffset, color = MAIN_COLOR } = channels;
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

function hasLone({ mark, prepared: { rows }, columns: { y, color, facet } }: PlotView): boolean {
  if (mark !== "line" || y.type !== "quantitative") return false;
  const series = Map.groupBy(
    rows,
    (row) => JSON.stringify([row[color?.field!], row[facet?.field!]]),
  );
  return rows.some((row) => row[y.field] === null) ||
    [...series.values()].some((own) => own.length === 1);
}

/** Points of a line that stand between gaps or ends, where it has no length. */
function loneLayer({ columns: { x, y, color, facet } }: PlotView, channels: ChartSpec): ChartSpec {
  const { strokeDash: _, ...looks } = channels;
  const groupby = [color, facet].flatMap((one) => one === null ? [] : [one.field]);
  const [before, after] = [{ op: "lag", as: "before" }, { op: "lead", as: "after" }];
  const window = [before, after].map((one) => ({ ...one, field: y.field }));
  return mark("point", {
    transform: [
      { window, sort: [{ field: x.field }], groupby },
      { filter: `${has(y.field)} && !${has("before")} && !${has("after")}` },
    ],
    ...{ filled: true, size: 24, ...color === null && { color: MAIN_COLOR } },
    ...looks,
  });
}
