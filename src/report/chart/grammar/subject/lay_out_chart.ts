import { Chart } from "../../chart.ts";
import { keepLayout } from "../../chart_layouts.ts";
import { type ChartLayout, layOutSpec } from "../../lay_out_spec.ts";

/** Lays out a chart and keeps its parts, for narrower drawings. */
export function layOutChart(layout: ChartLayout): Chart {
  const { spec, description } = layOutSpec(layout);
  return keepLayout(new Chart(spec, { description }), layout);
}
