import type { DataFrame } from "nodejs-polars";
import { needed, TEXT } from "../../../base/arguments/check_options.ts";
import { rankCorrelation } from "../../../base/statistics/mean_ranks.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  rowOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanOfKnown, toValue } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, SEQUENTIAL_COLORS } from "../palette.ts";

type Pair = readonly [x: number, y: number];

const MOST_POINTS = 1200;
const CELLS = 24;
const TENTHS = 10;

/**
 * Draws two factors against each other: one point per row that has both, and a line through the means of the second by
 * decile of the first. Above 1,200 rows the points are counted in cells. Rows without one of the two are counted
 * in the subtitle, never drawn as zero.
 *
 * @param scores A frame with a column for each factor, such as two sets or two releases that were joined
 * @param options The two columns, title, width and footnote
 * @throws {TypeError} If a column is missing or holds no numbers, or an option is unknown
 * @throws {RangeError} If the width is not a number of pixels
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { factorScatterChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const [first, second] = [await api.history("ecpnd"), await api.history("ecqdi")];
 * const both = first.join(second.select("date", "ticker", "ecqdi_score"), { on: ["date", "ticker"] });
 * const chart = factorScatterChart(both, { x: "ecpnd_score", y: "ecqdi_score" });
 * if (!chart.description.includes("rows with both")) throw new Error("a count expected");
 * await api.close();
 * ```
 */
export function factorScatterChart(
  scores: DataFrame,
  options: ResultChartOptions & { readonly x: string; readonly y: string },
): Chart {
  const action = "draw two factors against each other";
  const { x, y, title, widthPx = 420 } = readResultOptions(action, options ?? {}, {
    x: needed(TEXT),
    y: needed(TEXT),
  });
  assertColumns(action, scores, [x, y]);
  const pairs = pairsOf(action, scores, [x, y]);
  const tenths = meansByTenth(pairs);
  const isCounted = pairs.length > MOST_POINTS;
  const subject = {
    title,
    about: `${y} against ${x}`,
    sample: `${countText(pairs.length, "row")} with both, ` +
      `${groupThousands(scores.height - pairs.length)} without one of them`,
    ...rowOrigin(scores, options.footnote),
    widthPx,
  };
  if (pairs.length === 0) return layOutNothing(subject, "no row has both");
  const line = "Line: mean of the second in each tenth of the rows by the first";
  const rows = isCounted ? cellLayer(pairs, [x, y]) : pointLayer(pairs, [x, y]);
  const layer = [rows, lineLayer(tenths, [x, y])];
  return layOutFinding(subject, {
    finding: findingOf(tenths, pairs, [x, y]),
    subtitle: [isCounted ? `${line}. Aggregated: rows are counted in cells` : line],
    details: describe(tenths, [x, y]),
    views: [{ width: widthPx, height: widthPx, layer }],
  });
}

/** Rank correlation over all rows; those of one ticker are not independent, so there is no interval. */
function findingOf(tenths: readonly Tenth[], pairs: readonly Pair[], [x, y]: Names): string {
  const [a, b] = [0, 1].map((side) => pairs.map((pair) => pair[side]!));
  const correlation = rankCorrelation(a!, b!);
  const rows = countText(pairs.length, "row");
  if (Number.isNaN(correlation)) {
    return `No rank correlation over ${rows}: one of the two is constant`;
  }
  const means = [tenths[0]!, tenths.at(-1)!].map((tenth) => decimalText(tenth.y, 3));
  return `Rank correlation ${decimalText(correlation, 3)} over ${rows}; mean ${y} ${means[0]} in ` +
    `the lowest tenth of ${x}, ${means[1]} in the highest`;
}

type Names = readonly [x: string, y: string];

function pairsOf(action: string, scores: DataFrame, names: Names): readonly Pair[] {
  const [first, second] = names.map((name) => scores.getColumn(name).toArray() as unknown[]);
  for (const [i, values] of [first!, second!].entries()) {
    if (values.every((value) => value === null || typeof value === "number")) continue;
    throw new TypeError(
      `Cannot ${action}: expected numbers in the column ${names[i]}, got other values; name a ` +
        "column of scores",
    );
  }
  return first!.flatMap((a, i) => {
    const b = second![i];
    return Number.isFinite(a) && Number.isFinite(b) ? [[a, b] as Pair] : [];
  });
}

type Tenth = ReturnType<typeof meansByTenth>[number];

function meansByTenth(pairs: readonly Pair[]) {
  const sorted = pairs.toSorted(([a], [b]) => a - b);
  const count = Math.min(TENTHS, sorted.length);
  const edge = (i: number) => Math.floor(i * sorted.length / count);
  return Array.from({ length: count }, (_, i) => {
    const part = sorted.slice(edge(i), edge(i + 1));
    const [x, y] = [0, 1].map((side) => meanOfKnown(part.map((pair) => pair[side]!))!);
    return { x: x!, y: y!, rows: part.length };
  });
}

function pointLayer(pairs: readonly Pair[], [x, y]: Names): ChartSpec {
  const rows = pairs.map(([a, b]) => ({ x: toValue(a), y: toValue(b) }));
  const look = { filled: true, size: 22, opacity: 0.6, color: MAIN_COLOR };
  const tooltip = [tip("x", x, ".4f"), tip("y", y, ".4f")];
  return mark("point", { rows, ...look, x: axis("x", x), y: axis("y", y), tooltip });
}

function cellLayer(pairs: readonly Pair[], [x, y]: Names): ChartSpec {
  const [across, up] = [gridOf(pairs.map(([a]) => a)), gridOf(pairs.map(([, b]) => b))];
  const counts = Map.groupBy(pairs, ([a, b]) => CELLS * across.indexOf(a) + up.indexOf(b));
  const rows = [...counts].toSorted(([a], [b]) => a - b).map(([cell, { length }]) => {
    const [i, j] = [Math.floor(cell / CELLS), cell % CELLS];
    const [low, high] = [across.edge(i), across.edge(i + 1)];
    return { low, high, bottom: up.edge(j), top: up.edge(j + 1), rows: length };
  });
  const scale = { type: "sqrt", range: [...SEQUENTIAL_COLORS] };
  const legend = { format: ",d", tickCount: 3, offset: 6 };
  return mark("rect", {
    rows,
    x: { ...axis("low", x), bin: "binned" },
    x2: "high",
    y: { ...axis("bottom", y), bin: "binned" },
    y2: "top",
    color: { field: "rows", type: "quantitative", title: "rows", scale, legend },
    tooltip: [
      tip("low", `${x} from`, ".3f"),
      tip("bottom", `${y} from`, ".3f"),
      tip("rows", "rows", ",d"),
    ],
  });
}

function gridOf(values: readonly number[]) {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  const width = (high - low) / CELLS || 1;
  return {
    indexOf: (value: number) => Math.min(CELLS - 1, Math.floor((value - low) / width)),
    edge: (i: number) => toValue(low + i * width),
  };
}

function lineLayer(rows: readonly Tenth[], [x, y]: Names): ChartSpec {
  const point = { filled: true, size: 30, color: OTHER_COLOR };
  const look = { color: OTHER_COLOR, strokeWidth: 2, point };
  const means = [tip("x", `mean ${x}`, ".4f"), tip("y", `mean ${y}`, ".4f")];
  const tooltip = [...means, tip("rows", "rows", ",d")];
  return mark("line", { rows, ...look, x: axis("x", x), y: axis("y", y), tooltip });
}

// A scale of scores that does not begin at zero hides no amount.
function axis(field: string, title: string): ChartSpec {
  return quantity(field, { title, fromZero: false });
}

function describe(tenths: readonly Tenth[], [x, y]: Names): string {
  const [first, last] = [tenths[0]!, tenths.at(-1)!];
  const three = (value: number) => decimalText(value, 3);
  return `The mean of ${y} is ${three(first.y)} in the tenth of the rows with the lowest ${x} ` +
    `(mean ${three(first.x)}) and ${three(last.y)} in that with the highest (${three(last.x)}).`;
}
