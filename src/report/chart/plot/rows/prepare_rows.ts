import { groupThousands } from "../../../../base/wording/group_thousands.ts";
import { capital } from "../../../../base/wording/capital.ts";
import { countText } from "../../../../base/wording/number_text.ts";
import { aggregateRows, boxRows, mostRepeats } from "./aggregate_rows.ts";
import { assertFew } from "../assert_few.ts";
import { histogramRows } from "./histogram_rows.ts";
import type { PlotMark, PlotOptions } from "../plot_options.ts";
import type { PlotColumn, PlotColumns, PlotRows } from "../plot_columns.ts";
import { thinnedText } from "../../grammar/thin_rows.ts";
import {
  rowsAt,
  type RowThinning,
  sampleRows,
  thinLines,
  type Thinned,
  thinStacks,
} from "./thin_rows.ts";

const MOST_BYTES = 80_000;

/** Plan of a picture. */
export interface RowsPlan {
  readonly action: string;
  readonly columns: PlotColumns;
  readonly mark: PlotMark;
  readonly options: PlotOptions;
}

/** Reduces the rows of a chart: to bins, boxes, aggregates, extremes or a sample, or keeps all. */
export function prepareRows(places: readonly number[], plan: RowsPlan): PlotRows {
  const { columns: { x, y }, mark, options } = plan;
  const parts = [plan.columns.color, plan.columns.facet].filter((part) => part !== null);
  const none = { notes: [], sampled: null, hasInterval: false, isStacked: false };
  if (mark === "histogram") return { ...none, ...histogram(places, plan, parts) };
  if (y === null) {
    const { rows } = aggregateRows(places, { y, parts: [x, ...parts], how: "count" });
    return { ...none, rows, isStacked: parts.length > 0 };
  }
  if (mark === "boxplot") {
    const notes = ["Boxes: quartiles and median; whiskers: lowest and highest"];
    return { ...none, rows: boxRows(places, y, [x, ...parts]), notes };
  }
  if (options.aggregate !== undefined || areRepeated(places, plan, parts)) {
    return { ...none, ...aggregated(places, plan, parts) };
  }
  return { ...none, ...single(places, plan, parts), isStacked: isStacked(plan) };
}

// One bar, and one cell, shows one value.
function areRepeated(
  places: readonly number[],
  { columns: { x, y, color, facet }, mark }: RowsPlan,
  parts: readonly PlotColumn[],
): boolean {
  if (mark === "bar" && y!.type === "quantitative") {
    return mostRepeats(places, y!, [x, ...parts]) > 1;
  }
  if (mark !== "rect" || color?.type !== "quantitative") return false;
  return mostRepeats(places, color, [x, y!, ...(facet === null ? [] : [facet])]) > 1;
}

function histogram(
  places: readonly number[],
  { columns, options }: RowsPlan,
  parts: readonly PlotColumn[],
) {
  const { rows, said: notes } = histogramRows(places, {
    x: columns.x,
    parts,
    bins: options.bins,
    isLog: options.xScale === "log",
    isCut: options.xDomain !== undefined,
  });
  return { rows, notes, isStacked: parts.length > 0 };
}

function aggregated(places: readonly number[], plan: RowsPlan, parts: readonly PlotColumn[]) {
  const { columns: { x, y, color }, options, mark } = plan;
  const how = options.aggregate ?? "mean";
  const drawn = plan.columns.size === null ? parts : [...parts, plan.columns.size];
  const isCell = mark === "rect" && color !== null && color.type === "quantitative";
  // The colour of a cell is its number.
  const by = isCell ? [x, y!, ...drawn.filter((part) => part !== color)] : [x, ...drawn];
  const { rows, most } = aggregateRows(places, { y: isCell ? color : y, parts: by, how });
  const hasInterval = how === "mean" && !isCell && most > 1;
  const interval = hasInterval ? ", with its 95% interval as if rows were independent" : "";
  const isStacked = color !== null && (how === "sum" || how === "count") && isAmount(mark);
  const name = isCell ? color.name : y!.name;
  return {
    rows,
    hasInterval,
    isStacked,
    notes: [
      ...(most === 1
        ? []
        : [`${capital(how)} of ${name} of 1 to ${countText(most, "row")}${interval}`]),
      ...(isStacked ? ["Colours are stacked"] : []),
    ],
  };
}

function isAmount(mark: PlotMark): boolean {
  return mark === "bar" || mark === "area";
}

function isStacked({ columns: { x, y, color }, mark }: RowsPlan): boolean {
  const isText = x.type === "nominal" || y?.type === "nominal";
  return color !== null && (mark === "area" || (mark === "bar" && !isText));
}

/** Rows that are drawn one by one, not aggregated. */
function single(places: readonly number[], plan: RowsPlan, parts: readonly PlotColumn[]) {
  const { columns, mark, action } = plan;
  const { x, y } = columns as PlotColumns & { readonly y: PlotColumn };
  const all = [x, y, columns.color, columns.size, columns.facet].filter((one) => one !== null);
  const used = [...new Map(all.map((one) => [one.field, one])).values()];
  const bytes = JSON.stringify(rowsAt(places.slice(0, 100), used)).length /
    Math.max(1, Math.min(100, places.length));
  const most = Math.floor(MOST_BYTES / Math.max(1, bytes));
  const thin: RowThinning = { x, y, parts: [...new Set(parts)], most };
  if (mark === "bar" || mark === "rect") {
    assertFew(action, places.length, { most: 5_000, what: mark === "bar" ? "bars" : "cells" });
    return { rows: rowsAt(places, used), notes: stackNote(plan) };
  }
  const isLine = (mark === "line" || mark === "area") && x.type !== "nominal";
  const { kept, size } = isLine ? thinnedLine(places, plan, thin) : sampleRows(places, thin);
  const rows = rowsAt(kept, used);
  if (kept.length === places.length) {
    return { rows, notes: [...stackNote(plan), ...repeatNote(places, plan, parts)] };
  }
  if (!isLine) {
    return { rows, sampled: kept.length, notes: ["The sample holds the extremes of both axes"] };
  }
  return { rows, notes: [...thinnedText(size, "row"), ...stackNote(plan)] };
}

function thinnedLine(places: readonly number[], plan: RowsPlan, thin: RowThinning): Thinned {
  const isText = thin.y.type !== "quantitative";
  if (isText) return sampleRows(places, thin);
  return isStacked(plan) ? thinStacks(places, thin) : thinLines(places, thin);
}

function stackNote(plan: RowsPlan): readonly string[] {
  return isStacked(plan) ? ["Colours are stacked"] : [];
}

function repeatNote(
  places: readonly number[],
  { columns: { x, y }, mark }: RowsPlan,
  parts: readonly PlotColumn[],
): readonly string[] {
  if (mark !== "line" || y!.type !== "quantitative") return [];
  const most = mostRepeats(places, y!, [x, ...parts]);
  return most <= 1 ? [] : [
    `Up to ${groupThousands(most)} rows of a line share one ${x.name}: color or aggregate parts ` +
    "them",
  ];
}
