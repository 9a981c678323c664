import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { parse, View } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { Chart } from "../../../src/report/chart/chart.ts";
import { plot } from "../../../src/report/chart/plot/plot.ts";
import type { VegaSpec } from "../../../src/report/chart/chart_spec.ts";

const SPEC: VegaSpec = {
  title: "Two <bars>",
  data: { values: [{ quantile: 1, bps: -2, note: "</script>" }, { quantile: 2, bps: 3 }] },
  mark: "bar",
  encoding: { x: { field: "quantile" }, y: { field: "bps", type: "quantitative" } },
};
const chart = new Chart(SPEC, { description: 'Two bars, "−2" & 3' });

const zoomed = () =>
  plot(pl.DataFrame({ x: [1.5, 2, 3], y: [1, 2, 3] }), { x: "x", y: "y", mark: "point" });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-chart-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("Chart", () => {
  test("refuses what is no specification, and a chart without words", () => {
    const make = (spec: unknown, text?: unknown) => () => new Chart(spec as never, text as never);
    expect(make([], { description: "x" })).toThrow(TypeError);
    expect(make({ data: {} }, { description: "x" })).toThrow(
      "a Vega-Lite specification with one of mark, layer, concat, hconcat, vconcat, facet, repeat, " +
        "spec, got data",
    );
    expect(make(SPEC)).toThrow(/expected a description/);
    expect(make(SPEC, { description: "" })).toThrow(TypeError);
  });

  test("is its description where a text is asked for", () => {
    expect(`${chart}`).toBe('Two bars, "−2" & 3');
  });

  test("gives its description to those who do not see the SVG, as one picture", async () => {
    const svg = await chart.toSvg();
    expect(svg).toMatch(/^<svg role="img" aria-label="Two bars, &quot;−2&quot; &amp; 3" /);
    expect(svg.match(/aria-|role="/g)).toHaveLength(2);
  });

  test("draws no tooltip and no zoom in a picture, and keeps both for who points at it", async () => {
    const points = zoomed();
    expect(await points.toSvg()).not.toMatch(/clip-path|tooltip/);
    expect(JSON.stringify(points.spec)).toMatch(/"bind":"scales".*"tooltip"/);
    expect(await points.toHtml()).toMatch(/"bind":"scales".*"tooltip"/);
  });

  test("cuts off what lies beyond an axis whose ends are stated", async () => {
    const [view] = zoomed().spec["vconcat"] as readonly [{ encoding: { y: object } }];
    const y = { ...view.encoding.y, scale: { domain: [0, 2] } };
    const cut = new Chart(
      { vconcat: [{ ...view, encoding: { ...view.encoding, y } }] } as unknown as VegaSpec,
      { description: "Three points, one of them beyond the axis" },
    );
    expect(await cut.toSvg()).toContain("clip-path");
  });

  test("draws as many pixels as it is asked for", async () => {
    const width = async (scale: number) =>
      new DataView((await chart.toPng({ scale })).buffer).getUint32(16);
    expect(await width(3)).toBeCloseTo(3 * await width(1), -1);
    await expect(chart.toPng({ scale: 0 })).rejects.toThrow(RangeError);
    await expect(chart.toPng({ size: 2 } as never)).rejects.toThrow(TypeError);
  });

  test.each<[unknown, typeof TypeError | typeof RangeError, string]>([
    ["notacolor", RangeError, '"notacolor"'],
    ["#12", RangeError, '"#12"'],
    ["", RangeError, '""'],
    [5, TypeError, "5"],
    [null, TypeError, "null"],
  ])("refuses the background %j, as a PDF does", async (background, type, got) => {
    const message =
      `expected background to be a colour such as "white", "#204080" or "transparent", got ${got}`;
    const options = { background } as never;
    for (const draw of [() => chart.toPng(options), () => chart.toPdf(options)]) {
      const error = await draw().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(type);
      expect(String(error)).toContain(message);
    }
  });

  test("becomes a page that loads nothing, and shows the picture before any script", async () => {
    const page = await chart.toHtml();
    expect(page).not.toMatch(/(src|href)="/);
    expect(page).toContain("<title>Two &lt;bars&gt;</title>");
    expect(page.indexOf("<svg")).toBeLessThan(page.indexOf("<script"));
    // The data end no script.
    expect(page.match(/<\/script/g)).toHaveLength(page.match(/<script/g)!.length);
    const still = await chart.toHtml({ interactive: false });
    expect(still).not.toContain("<script");
    expect(still.length).toBeLessThan(30_000);
  });

  test("has the ink of the theme in a notebook whose theme says one", async () => {
    const frame = pl.DataFrame({ x: [1, 2], y: [1, 2], k: ["a", "b"] });
    const shown = plot(frame, { x: "x", y: "y", color: "k", footnote: "Where from" });
    const bundle = await shown[DISPLAY]();
    const { $schema: _, ...spec } = bundle["application/vnd.vegalite.v5+json"] as TopLevelSpec;
    // What vega-embed merges beneath a specification in JupyterLab and VS Code where these are dark.
    const guide = { fill: "#fff" };
    const theme = {
      title: { color: "#fff", subtitleColor: "#fff" },
      style: { "guide-label": guide, "guide-title": guide },
    };
    const view = new View(parse(compile(spec as TopLevelSpec, { config: theme }).spec), {
      renderer: "none",
    });
    const inks = [...(await view.toSVG()).matchAll(/<text[^>]*fill="([^"]*)"[^>]*>([^<]*)/g)]
      .map(([, ink, text]) => [text, ink]);
    expect(inks.length).toBeGreaterThan(10);
    expect(inks.filter(([, ink]) => ink !== "#fff")).toEqual([["Where from", "#767676"]]);
  });

  test("saves what the ending says", async () => {
    const at = (name: string) => join(folder, name);
    await chart.save(at("a.json"));
    expect(JSON.parse(await readFile(at("a.json"), "utf8"))).toMatchObject(SPEC);
    await chart.save(at("a.SVG"));
    const plain = (svg: string) => svg.replace(/<style>[^<]*<\/style>/, "");
    expect(plain(await readFile(at("a.SVG"), "utf8"))).toBe(await chart.toSvg());
    await chart.save(at("a.png"));
    expect((await readFile(at("a.png"))).toString("latin1", 1, 4)).toBe("PNG");
    await chart.save(at("a.html"));
    expect(await readFile(at("a.html"), "utf8")).toMatch(/^<!DOCTYPE html>/);
  });
});
