import { describe, expect, test } from "vitest";
import { Chart } from "../../../../src/report/chart/mod.ts";
import { quantity, sessionAxis } from "../../../../src/report/chart/grammar/encodings.ts";
import type { VegaSpec } from "../../../../src/report/chart/chart_spec.ts";

/** The labels of each axis of a picture. */
function labelsOf(svg: string): readonly (readonly string[])[] {
  return [...svg.matchAll(/role-axis-label".*?<\/g>/gs)].map(([group]) =>
    [...group.matchAll(/>([^<>]+)<\/text>/g)].map(([, text]) => text!)
  );
}

async function ticks(format: string | undefined, [low, high]: readonly [number, number]) {
  const spec: VegaSpec = {
    data: { values: [{ y: low }, { y: high }] },
    mark: "point",
    encoding: {
      y: quantity("y", { title: "y", fromZero: false, ...(format !== undefined && { format }) }),
    },
  };
  const svg = await new Chart(spec, { description: "Ticks" }).toSvg();
  return labelsOf(svg)[0]!;
}

describe("the ticks of an axis", () => {
  test.each(
    [
      [undefined, [1, 1.004]],
      [undefined, [-0.00002, 0.00003]],
      [undefined, [0, 3]],
      [undefined, [-250, 12_500]],
      ["%", [0, 0.004]],
      ["%", [-0.252, 0]],
      ["%", [0, 12]],
      [",d", [0, 1]],
      [",d", [0, 2]],
      [",d", [0, 125_000]],
    ] as const,
  )("written as %s over %j differ from each other", async (format, range) => {
    const labels = await ticks(format, range);
    expect(labels.length).toBeGreaterThanOrEqual(2);
    expect(new Set(labels).size).toBe(labels.length);
  });

  test("have as many decimals as their step", async () => {
    expect(await ticks("%", [0, 0.004])).toEqual(["0.0%", "0.1%", "0.2%", "0.3%", "0.4%"]);
    expect(await ticks(undefined, [0, 3])).toEqual([
      "0.0",
      "0.5",
      "1.0",
      "1.5",
      "2.0",
      "2.5",
      "3.0",
    ]);
    expect(await ticks(",d", [0, 2])).toEqual(["0", "1", "2"]);
  });

  test.each([2, 3, 5, 9])("of %d sessions name each day once", async (days) => {
    const values = Array.from({ length: days }, (_, i) => ({
      session: new Date(Date.UTC(2026, 9, 26 + i)).toISOString().slice(0, 10),
      y: i,
    }));
    const spec: VegaSpec = {
      width: 640,
      data: { values },
      mark: "point",
      encoding: { x: sessionAxis(), y: { field: "y", type: "quantitative" } },
    };
    const [labels] = labelsOf(await new Chart(spec, { description: "Days" }).toSvg());
    expect(labels!.length).toBeGreaterThanOrEqual(2);
    expect(new Set(labels).size).toBe(labels!.length);
  });
});
