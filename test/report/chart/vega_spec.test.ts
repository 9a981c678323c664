import { describe, expect, test } from "vitest";
import { Chart, plot, type VegaLayer, type VegaSpec } from "../../../src/report/chart/mod.ts";
import pl from "nodejs-polars";

const VALUES = [{ quantile: 1, bps: -2 }, { quantile: 2, bps: 3 }];
const text = { description: "Two bars" };

// Each marked line is an error of the compiler: the type check of the repository fails if one is not.
describe("a specification of one's own", () => {
  test("compiles with Vega-Lite's own types, and a changed one of a chart does", () => {
    const chart = new Chart({
      data: { values: VALUES },
      mark: { type: "bar", opacity: 0.5 },
      encoding: {
        x: { field: "quantile", type: "ordinal" },
        y: { field: "bps", type: "quantitative" },
      },
    }, text);
    const wide = new Chart({ ...chart.spec, width: 400 }, chart);
    expect(wide.spec["width"]).toBe(400);
    const read: VegaSpec = JSON.parse(JSON.stringify(wide.spec));
    expect(new Chart(read, text).spec).toEqual(wide.spec);
  });

  test("does not compile with a mistaken mark, type or channel", () => {
    const make = (spec: VegaSpec) => new Chart(spec, text);
    const data = { values: VALUES };
    // @ts-expect-error A mark that Vega-Lite does not have.
    make({ data, mark: "baar", encoding: {} });
    // @ts-expect-error A type that Vega-Lite does not have.
    make({ data, mark: "bar", encoding: { x: { field: "quantile", type: "number" } } });
    // @ts-expect-error An aggregate that Vega-Lite does not have.
    make({ data, mark: "bar", encoding: { y: { aggregate: "avg", field: "bps" } } });
    expect(make({ data, mark: "bar", encoding: {} }).description).toBe("Two bars");
  });

  test("has layers of the same types", () => {
    const chart = plot(pl.DataFrame({ lag: [1, 2], ic: [0.03, 0.02] }), { x: "lag", y: "ic" });
    const layer: VegaLayer = { mark: "rule", encoding: { y: { datum: 0.01 } } };
    expect(JSON.stringify(chart.with({ layer }).spec)).toContain('"datum":0.01');
    // @ts-expect-error A mark that Vega-Lite does not have.
    expect(() => chart.with({ layer: { mark: "ruler", encoding: {} } })).not.toThrow();
  });
});
