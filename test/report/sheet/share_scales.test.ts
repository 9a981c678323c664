import { describe, expect, test } from "vitest";
import { Chart } from "../../../src/report/chart/chart.ts";
import { amountDomains } from "../../helpers/amount_domains.ts";
import { shareScales } from "../../../src/report/sheet/share_scales.ts";
import type { VegaSpec } from "../../../src/report/chart/chart_spec.ts";

async function verticalDomains(chart: Chart) {
  return (await amountDomains(chart)).filter((_, i) => i % 2 === 1);
}

const text = { description: "a chart" };
const amount = (field: string, zero = true) => ({
  field,
  type: "quantitative" as const,
  scale: { zero, nice: false },
});

function lines(values: readonly (number | null)[], zero = true): Chart {
  const rows = values.map((v, x) => ({ x, v }));
  return new Chart({
    data: { values: rows },
    mark: "line",
    encoding: { x: amount("x"), y: amount("v", zero) },
  }, text);
}

describe("shareScales()", () => {
  test("gives both charts axes that reach over the values of both", async () => {
    const [first, second] = shareScales([lines([1, 4]), lines([2, null, -3])]);
    expect(await verticalDomains(first!)).toEqual([[-3, 4]]);
    expect(await verticalDomains(second!)).toEqual([[-3, 4]]);
    expect(first!.description).toBe("a chart");
  });

  test("keeps zero where the axis has it, and leaves it out where not", async () => {
    const [first] = shareScales([lines([1, 4]), lines([2, 3])]);
    expect(await verticalDomains(first!)).toEqual([[0, 4]]);
    const [cut] = shareScales([lines([1, 4], false), lines([2, 3], false)]);
    expect(await verticalDomains(cut!)).toEqual([[1, 4]]);
  });

  test("counts intervals, layers without rows of their own, and named rows", async () => {
    const banded = (high: number) =>
      new Chart({
        datasets: { means: [{ x: 1, low: -1, high }] },
        data: { name: "means" },
        layer: [
          { mark: "area", encoding: { x: amount("x"), y: amount("low"), y2: { field: "high" } } },
          {
            data: { values: [{ at: 0 }] },
            mark: "rule",
            encoding: { y: { field: "at", type: "quantitative" } },
          },
        ],
      }, text);
    const [first, second] = shareScales([banded(2), banded(9)]);
    expect(await verticalDomains(first!)).toEqual([[-1, 9]]);
    expect(await verticalDomains(second!)).toEqual([[-1, 9]]);
  });

  test("adds up what is drawn on top of each other", async () => {
    const areas = (top: number) =>
      new Chart({
        data: {
          values: [{ x: 0, v: 1, k: "a" }, { x: 0, v: top, k: "b" }, { x: 1, v: 1, k: "a" }],
        },
        mark: "area",
        encoding: { x: amount("x"), y: amount("v"), color: { field: "k", type: "nominal" } },
      }, text);
    const [first] = shareScales([areas(2), areas(6)]);
    expect(await verticalDomains(first!)).toEqual([[0, 7]]);
  });

  test("reaches below zero where a bar does", async () => {
    const bars = (values: readonly number[]) =>
      new Chart({
        data: { values: values.map((v, x) => ({ x, v })) },
        mark: "bar",
        encoding: { x: amount("x"), y: amount("v"), color: { field: "x", type: "ordinal" } },
      }, text);
    const [first, second] = shareScales([bars([-80, 20]), bars([60, -5])]);
    expect(await verticalDomains(first!)).toEqual([[-80, 60]]);
    expect(await verticalDomains(second!)).toEqual([[-80, 60]]);
  });

  test("compares pictures of the same name, and leaves alone what only one chart has", async () => {
    const panel = (name: string, v: number) => ({
      name,
      data: { values: [{ x: 0, v }, { x: 1, v: 0 }] },
      mark: "point" as const,
      encoding: { x: amount("x"), y: amount("v") },
    });
    const both = new Chart({ hconcat: [panel("horizon_1", 2), panel("horizon_5", 30)] }, text);
    const one = new Chart({ hconcat: [panel("horizon_5", 80)] }, text);
    const [first, second] = shareScales([both, one]);
    expect(await verticalDomains(first!)).toEqual([[0, 2], [0, 80]]);
    expect(await verticalDomains(second!)).toEqual([[0, 80]]);
  });

  test("leaves alone an axis of which one layer gives an end", async () => {
    const layered = (x: number) =>
      new Chart({
        layer: [
          {
            data: { values: [{ x, v: 1 }, { x: 9, v: 2 }] },
            mark: "point",
            encoding: {
              x: { field: "x", type: "quantitative", scale: { domainMin: -1, nice: false } },
              y: amount("v"),
            },
          },
          {
            data: { values: [{ at: 0 }] },
            mark: "rule",
            encoding: { x: { field: "at", type: "quantitative" } },
          },
        ],
      }, text);
    const [first, second] = shareScales([layered(1), layered(2)]);
    expect(await amountDomains(first!)).toEqual([[-1, 9], [0, 2]]);
    expect(await amountDomains(second!)).toEqual([[-1, 9], [0, 2]]);
  });

  test("shares axes of time, and leaves alone axes whose ends are given", () => {
    const on = (day: string): VegaSpec => ({
      data: { values: [{ x: day, v: 1 }] },
      mark: "line",
      encoding: {
        x: { field: "x", type: "temporal", scale: { type: "utc" } },
        y: { field: "v", type: "quantitative", scale: { domain: [0, 9] } },
      },
    });
    const charts = ["2026-01-05", "2026-01-09"].map((day) => new Chart(on(day), text));
    for (const { spec } of shareScales(charts)) {
      const { x, y } = spec["encoding"] as Record<string, { readonly scale: object }>;
      expect(x!.scale).toEqual({
        type: "utc",
        domain: [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 9)],
      });
      expect(y!.scale).toEqual({ domain: [0, 9] });
    }
  });
});
