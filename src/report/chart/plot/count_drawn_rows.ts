import { countText } from "../../../base/wording/number_text.ts";
import type { PlotColumn } from "./plot_columns.ts";
import type { PlotPlan } from "./plot_rows.ts";
import { positionOf } from "./thin_series.ts";

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
export function countDrawnRows({ columns, mark, options }: PlotPlan): RowCounts {
  const { x, y, color, size } = columns;
  const { xScale, yScale, xDomain, yDomain } = options;
  const all = [...x.values.keys()];
  const placed = all.filter((place) => x.values[place] !== null);
  const onLog = placed.filter((place) =>
    isLogable(x, place, xScale) && (y === null || isLogable(y, place, yScale))
  );
  const places = onLog.filter((place) => isInside(x, place, xDomain));
  const high = places.filter((place) => y !== null && !isInside(y, place, yDomain));
  const broken = new Set([x, y, color, size].flatMap((column) => column?.broken ?? []));
  const outside = onLog.length - places.length + high.length;
  const notes = ([
    [broken.size, "is", "are", "infinite or not a number"],
    [all.length - placed.length, "has", "have", `no ${x.name}`],
    [placed.length - onLog.length, "is", "are", "at or below 0, which a logarithmic axis lacks"],
    [outside, "lies", "lie", "outside of the axes"],
  ] as const).filter(([count]) => count > 0)
    .map(([count, one, many, what]) =>
      `${countText(count, "row")} ${count === 1 ? one : many} ${what}`
    );
  const keepsNulls = mark === "bar" || mark === "rect";
  const isEmpty = places.length === 0 ||
    (y !== null && !keepsNulls && !places.some((place) => y.values[place] !== null));
  const rows = countText(all.length, "row");
  const reason = missing(x) ?? (y === null ? null : missing(y)) ??
    (isEmpty ? `no row lies within the axes, and ${rows} outside of them` : null);
  return { places, reason, notes, span: spanText(x, placed) };
}

/** Reason that a column has nothing to draw; `null` if it has a value. */
function missing({ name, values }: PlotColumn): string | null {
  if (values.length === 0) return "the frame has no rows";
  if (values.some((value) => value !== null)) return null;
  if (values.length === 1) return `the 1 row has no ${name}`;
  const article = /^[aeioux]$|^[aeiou]/i.test(name) ? "an" : "a";
  return `none of the ${countText(values.length, "row")} has ${article} ${name}`;
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
  const [low, high] = domain.map(positionOf);
  const at = positionOf(column.values[place]);
  return Number.isNaN(at) || (at >= low! && at <= high!);
}

function spanText({ type, values }: PlotColumn, places: readonly number[]): string {
  if (type !== "temporal" || places.length === 0) return "";
  const texts = places.map((place) => String(values[place])).toSorted();
  return `, ${texts[0]} to ${texts.at(-1)}`;
}
