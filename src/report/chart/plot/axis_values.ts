import type { Row, Value } from "../grammar/values.ts";
import type { PlotOptions } from "./plot_options.ts";

/** Values of a text axis in drawing order. The vertical axis keeps the order of the frame unless x is sorted by it. */
export function axisValues(
  field: string,
  rows: readonly Row[],
  { options, channel }: { readonly options: PlotOptions; readonly channel: "x" | "y" },
): readonly Value[] {
  const { sort = "frame" } = options;
  const values = [...new Set(rows.map((row) => row[field] ?? null))];
  const by = sort.replace("-", "");
  if (sort === "frame") return values;
  const sign = sort.startsWith("-") ? -1 : 1;
  if (by === channel) {
    return values.toSorted((a, b) =>
      sign * String(a).localeCompare(String(b), "en", { numeric: true })
    );
  }
  const amountOf = (row: Row) =>
    Object.entries(row).find(([name, value]) => name !== field && typeof value === "number")?.[1];
  const totals = new Map<Value, number>();
  for (const row of rows) {
    const place = row[field] ?? null;
    totals.set(place, (totals.get(place) ?? 0) + Number(amountOf(row) ?? 0));
  }
  return values.toSorted((a, b) => sign * (totals.get(a)! - totals.get(b)!));
}
