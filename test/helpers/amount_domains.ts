import { parse, View } from "vega";
import { compile } from "vega-lite";
import type { Chart } from "../../src/report/chart/chart.ts";

/** From where to where the axes of amounts of a chart go, as Vega draws them, from the first picture to the last. */
export async function amountDomains(chart: Chart): Promise<readonly (readonly number[])[]> {
  const { $schema: _, ...spec } = structuredClone(chart.spec) as Record<string, unknown>;
  const vega = compile(spec as unknown as Parameters<typeof compile>[0]).spec;
  const view = await new View(parse(vega), { renderer: "none" }).runAsync();
  try {
    return (vega.scales ?? []).map(({ name }) => name).filter((name) => /(^|_)[xy]$/.test(name))
      .map((name) => view.scale(name).domain() as readonly unknown[])
      .filter((domain) => domain.every((end) => typeof end === "number")) as number[][];
  } finally {
    view.finalize();
  }
}
