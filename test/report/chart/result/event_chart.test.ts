import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { type Chart, eventChart } from "../../../../src/report/chart/mod.ts";

function chartOf(first: number, last: number): Chart {
  const offsets = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return eventChart(pl.DataFrame({
    offset: offsets,
    mean: offsets.map((offset) => 0.001 * (offset % 3)),
    low: offsets.map((offset) => 0.001 * (offset % 3) - 0.002),
    high: offsets.map((offset) => 0.001 * (offset % 3) + 0.002),
    n: offsets.map(() => 40),
    cumulative: offsets.map((offset) => 0.0005 * offset),
  }));
}

/** Left and right edges of the bars of means. */
function barsOf(svg: string): readonly (readonly [number, number])[] {
  return [...svg.matchAll(/<path d="M([\d.]+),[\d.-]+h([\d.]+)[^"]*" fill="#3d7fc1"/g)]
    .map(([, left, width]) => [Number(left), Number(left) + Number(width)] as const);
}

test("eventChart() labels no offset that the result does not have", async () => {
  const svg = await chartOf(-10, 20).toSvg();
  const labels = [...svg.matchAll(/<text[^>]*>([−-]?\d+)<\/text>/g)]
    .map(([, text]) => Number(text!.replace("−", "-")));
  expect(labels.slice(0, labels.indexOf(20) + 1)).toEqual([
    -10,
    -8,
    -6,
    -4,
    -2,
    0,
    2,
    4,
    6,
    8,
    10,
    12,
    14,
    16,
    18,
    20,
  ]);
});

test("eventChart() draws a bar for each of 121 offsets, none of which covers its neighbour", async () => {
  const bars = barsOf(await chartOf(-60, 60).toSvg());
  expect(bars).toHaveLength(121);
  const sorted = bars.toSorted((a, b) => a[0] - b[0]);
  for (const [i, [left]] of sorted.slice(1).entries()) {
    expect(left).toBeGreaterThan(sorted[i]![1]);
  }
});
