import type { ChartLayout } from "./lay_out_spec.ts";

const LAYOUTS = new WeakMap<object, ChartLayout>();

/** Remembers the parts of a chart. */
export function keepLayout<Chart extends object>(chart: Chart, layout: ChartLayout): Chart {
  LAYOUTS.set(chart, layout);
  return chart;
}

/** The parts of a chart; `undefined` for one made from a specification. */
export function layoutOf(chart: object): ChartLayout | undefined {
  return LAYOUTS.get(chart);
}
