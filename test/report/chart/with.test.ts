import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { Chart, type ChartChanges, icChart, quantileChart } from "../../../src/report/chart/mod.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";
import type { VegaLayer } from "../../../src/report/chart/chart_spec.ts";

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

const OWN = {
  data: { values: [{ a: 1, b: 2 }] },
  mark: "bar" as const,
  encoding: { x: { field: "a" }, y: { field: "b", type: "quantitative" as const } },
};

describe("Chart.with()", () => {
  test("changes title, subtitle and footnote, keeps the origin and that rows are synthetic, and says it all", async () => {
    const chart = icChart(analysis).with({
      title: "My factor",
      subtitle: "In sample",
      footnote: "Figure 1",
    });
    expect(chart.description).toMatch(/^My factor[.:] /);
    expect(chart.description).toContain("In sample.");
    expect(chart.description).toMatch(/Figure 1\. ecpnd, release 58080ada….* Synthetic rows\.$/);
    const svg = await chart.toSvg();
    for (const text of [">My factor<", ">In sample<", "Figure 1. ecpnd", "Synthetic rows"]) {
      expect(svg).toContain(text);
    }
    expect(svg.replace(/aria-label="[^"]*"/, "")).not.toContain("IC by session");
  });

  test("keeps earlier changes: colours, font, height, lines", async () => {
    const chart = quantileChart(analysis)
      .with({ colors: ["#102030", "#a0b0c0"], font: "Georgia", height: 300 })
      .with({ rules: [{ y: 12, label: "aim" }] })
      .with({ title: "Again" });
    const svg = await chart.toSvg();
    expect(svg).toContain("#102030");
    expect(svg).not.toContain("#3d7fc1");
    expect(svg).toContain('font-family="Georgia"');
    expect(svg).toContain(">aim<");
    expect(chart.description).toContain("Lines: aim at 12.");
    expect(JSON.stringify(chart.spec)).toContain('"height":300');
  });

  test("adds a layer, and changes a specification of one's own", async () => {
    const layer: VegaLayer = { mark: "rule", encoding: { y: { datum: 1 } } };
    const chart = new Chart(OWN, { description: "A bar" })
      .with({ title: "Bar", footnote: "Own numbers", layer, rules: [{ y: 1.5 }] });
    const svg = await chart.toSvg();
    expect(svg.match(/mark-rule/g)!.length).toBeGreaterThanOrEqual(2);
    expect(svg).toContain("Own numbers");
    expect(chart.description).toBe("Bar: A bar Own numbers Lines: a line at 1.5.");
  });

  test("refuses what is no change", () => {
    const change = (changes: unknown) => () => icChart(analysis).with(changes as ChartChanges);
    expect(change({ titel: "x" })).toThrow(/did you mean title/);
    expect(change({ title: 1 })).toThrow(TypeError);
    expect(change({ colors: "red" })).toThrow(TypeError);
    expect(change({ height: -1 })).toThrow(RangeError);
  });
});

describe("new Chart(own)", () => {
  test("gets the theme beneath its own settings", async () => {
    const own = new Chart({ ...OWN, config: { axis: { labelColor: "#123456" } } }, {
      description: "A bar",
    });
    const svg = await own.toSvg();
    expect(svg).toContain("#123456");
    expect(svg).toContain("DejaVu Sans");
    expect(svg).not.toContain('fill="white"');
  });
});

test("save() obeys scale, background and fontFiles", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-save-"));
  const chart = new Chart(OWN, { description: "A bar" });
  const width = async (scale: number) => {
    const path = join(folder, `${scale}.png`);
    await chart.save(path, { scale });
    return (await readFile(path)).readUInt32BE(16);
  };
  expect(await width(4)).toBe(4 * await width(1));
  const font = join(
    import.meta.dirname!,
    "../../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSerif.ttf",
  );
  const plain = await chart.with({ font: "DejaVu Serif" }).toPng();
  const serif = await chart.with({ font: "DejaVu Serif" }).toPng({ fontFiles: [font] });
  expect(serif).not.toEqual(plain);
  await expect(chart.save(join(folder, "a.png"), { dpi: 300 } as never)).rejects.toThrow(TypeError);
  await rm(folder, { recursive: true });
});
