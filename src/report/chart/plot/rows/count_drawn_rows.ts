import { countText } from "../../../../base/wording/number_text.ts";
import type { PlotMark, PlotOptions } from "../plot_options.ts";
import type { PlotColumns } from "../plot_columns.ts";
import type { PlotColumn } from "../plot_columns.ts";
import { positionOf } from "./thin_rows.ts";

/** Rows that can be drawn, with notes on the others. */
export interface RowCounts {
  readonly places: readonly number[];
  /** Reason that nothing can be drawn; `null` if something can. */
  readonly reason: string | null;
  readonly notes: readonly string[];
  /** `, 2024-01-02 to 2026-11-20` of an axis of time. */
  readonly span: string;
}

/** Selects the rows that lie within the picture. */
export function countDrawnRows(
  columns: PlotColumns,
  options: PlotOptions & { readonly mark: PlotMark },
): RowCounts {
  const { x, y, color, size } = columns;
  const all = x.values.map((_, place) => place);
  const placed = all.filter((place) => x.values[place] !== null);
  const onLog = placed.filter((place) =>
    isLogable(x, place, options.xScale) && (y === null || isLogable(y, place, options.yScale))
  );
  const places = onLog.filter((place) => isInside(x, place, options.xDomain));
  const high = places.filter((place) => y !== null && !isInside(y, place, options.yDomain));
  const broken = new Set([x, y, color, size].flatMap((column) => column?.broken ?? []));
  const notes = [
    ...note(broken.size, ["is", "are"], "infinite or not a number"),
    ...note(all.length - placed.length, ["has", "have"], `no ${x.name}`),
    ...note(
      placed.length - onLog.length,
      ["is", "are"],
      "at or below 0, which a logarithmic axis lacks",
    ),
    ...note(onLog.length - places.length + high.length, ["lies", "lie"], "outside of the axes"),
  ];
  const keepsNulls = options.mark === "bar" || options.mark === "rect";
  const isEmpty = places.length === 0 ||
    (y !== null && !keepsNulls && !places.some((place) => y.values[place] !== null));
  const rows = countText(all.length, "row");
  const reason = missing(x, all.length) ??
    (y === null ? null : missing(y, all.length)) ??
    (isEmpty ? `no row lies within the axes, and ${rows} outside of them` : null);
  return { places, reason, notes, span: spanText(x, placed) };
}

/** Reason that a column has nothing to draw; `null` if it has a value. */
function missing({ name, values }: PlotColumn, count: number): string | null {
  if (count === 0) return "the frame has no rows";
  if (values.some((value) => value !== null)) return null;
  if (count === 1) return `the 1 row has no ${name}`;
  const article = /^[aeioux]$|^[aeiou]/i.test(name) ? "an" : "a";
  return `none of the ${countText(count, "row")} has ${article} ${name}`;
}

function note(
  count: number,
  [one, many]: readonly [string, string],
  what: string,
): readonly string[] {
  return count === 0 ? [] : [`${countText(count, "row")} ${count === 1 ? one : many} ${what}`];
}

function isLogable(column: PlotColumn, place: number, scale: string | undefined): boolean {
  const value = column.values[place];
  return scale !== "log" || typeof value !== "number" || value > 0;
}

function isInside(
  column: PlotColumn,
  place: number,
  domain: readonly (number | string)[] | undefined,
): boolean {
  if (domain === undefined || column.type === "nominal") return true;
  const [low, high] = domain.map((end) => positionOf(end));
  const at = positionOf(column.values[place]);
  return Number.isNaN(at) || (at >= low! && at <= high!);
}

function spanText({ type, values }: PlotColumn, places: readonly number[]): string {
  if (type !== "temporal" || places.length === 0) return "";
  const texts = places.map((place) => String(values[place]));
  const first = texts.reduce((a, b) => a < b ? a : b);
  return `, ${first} to ${texts.reduce((a, b) => a > b ? a : b)}`;
}
