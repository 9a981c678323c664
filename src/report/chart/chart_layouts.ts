import type { ChartLayout } from "./lay_out_spec.ts";

const LAYOUTS = new WeakMap<object, ChartLayout>();

/** Keeps the parts of a chart, for changes and narrower drawings. */
export function keepLayout<Chart extends object>(chart: Chart, layout: ChartLayout): Chart {
  LAYOUTS.set(chart, layout);
  return chart;
}

/** The parts of a chart; `undefined` for one made from a specification. */
export function layoutOf(chart: object): ChartLayout | undefined {
  return LAYOUTS.get(chart);
}
