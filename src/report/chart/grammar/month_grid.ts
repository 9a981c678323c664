import type { ChartSpec } from "../chart_spec.ts";

const AXIS = { labelAngle: 0, domain: false, ticks: false };

/** Size, rows and axes of a grid with a row per `year` and a column per `month`. */
export function monthGrid(
  cells: readonly { readonly year: unknown }[],
  { width, columns }: { readonly width: number; readonly columns: readonly string[] },
): ChartSpec {
  const x = { field: "month", type: "ordinal", sort: columns, title: null };
  return {
    width,
    height: gridHeight(cells),
    data: { values: cells },
    encoding: {
      x: { ...x, scale: { domain: columns }, axis: { ...AXIS, orient: "top" } },
      y: { field: "year", type: "ordinal", title: null, axis: AXIS },
    },
  };
}

/** Height of the grid. */
export function gridHeight(cells: readonly { readonly year: unknown }[]): number {
  return Math.max(40, 26 * new Set(cells.map(({ year }) => year)).size);
}
