// @heavy: every chart in seventeen worlds
import { compile } from "vega-lite";
import { layoutOf } from "../../../src/report/chart/lay_out_spec.ts";
import { narrowChart } from "../../../src/report/chart/narrow_chart.ts";
import { contrastOf } from "../../helpers/contrast.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import type { Chart } from "../../../src/report/chart/mod.ts";
import { tearSheet } from "../../../src/report/sheet/mod.ts";
import { OF_AN_ANALYSIS, OF_OTHERS } from "./_sample_charts.ts";
import { worldAnalyses, WORLDS } from "./_worlds.ts";

type Part = Readonly<Record<string, unknown>>;
type Draw = (analysis: FactorAnalysis) => readonly Chart[];

const DRAWS: Readonly<Record<string, Draw>> = {
  ...Object.fromEntries(
    Object.entries(OF_AN_ANALYSIS).map(([name, draw]) =>
      [name, (analysis: FactorAnalysis) => [draw(analysis)]] as const
    ),
  ),
  ic_all: (analysis) => [charts.icChart(analysis, { horizon: "all" })],
  quantile_absolute: (analysis) => [charts.quantileChart(analysis, { absolute: true })],
  ...Object.fromEntries(
    ["quantile_per_session", "plot"].map((name) =>
      [name, (analysis: FactorAnalysis) => [OF_OTHERS[name]!(analysis)]] as const
    ),
  ),
  small: (analysis) => tearSheet(analysis).part("summary").small,
};

// Vega-Lite warns of the structure of a specification, not of its numbers.
const STRUCTURES = ["planted", "constant", "groups"];

let analyses: ReadonlyMap<string, FactorAnalysis>;
beforeAll(async () => {
  analyses = await worldAnalyses();
});

/** The views of a specification that have layers, or a mark of their own. */
function viewsOf(part: Part): readonly Part[] {
  const inner = ["vconcat", "hconcat", "concat"]
    .flatMap((name) => (part[name] ?? []) as readonly Part[]);
  const facet = part["spec"] === undefined ? [] : [part["spec"] as Part];
  return inner.length + facet.length > 0 ? [...inner, ...facet].flatMap(viewsOf) : [part];
}

function layersOf(view: Part): readonly Part[] {
  return "layer" in view ? (view["layer"] as readonly Part[]).flatMap(layersOf) : [view];
}

function markOf({ mark }: Part): string {
  return typeof mark === "string" ? mark : String((mark as Part | undefined)?.["type"]);
}

function fieldOf({ encoding }: Part, channel: string): string {
  return String((encoding as Readonly<Record<string, Part>> | undefined)?.[channel]?.["field"]);
}

/** Warnings of Vega-Lite about a specification. */
function warningsOf({ spec }: Chart): readonly string[] {
  const found: string[] = [];
  const note = (...texts: readonly unknown[]) => {
    found.push(texts.join(" "));
    return logger;
  };
  const quiet = () => logger;
  const logger = { level: quiet, error: note, warn: note, info: quiet, debug: quiet };
  const { $schema: _, ...unversioned } = spec;
  compile(unversioned as Parameters<typeof compile>[0], { logger: logger as never });
  return found;
}

/** Horizontal places of the points of a picture. */
function pointsOf(svg: string): readonly number[] {
  const groups = svg.matchAll(/<g class="mark-symbol role-mark[^>]*>(.*?)<\/g>/gs);
  return [...groups].flatMap(([, inner]) =>
    [...inner!.matchAll(/<path transform="translate\(([-\d.]+),/g)].map(([, x]) => Number(x))
  );
}

/** Names that a specification tells apart by colours, dashes or shapes. */
function namesOf(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  const inner = Object.values(part).flatMap(namesOf);
  const { field, type, scale } = part as Part;
  const domain = (scale as Part | undefined)?.["domain"];
  const isNamed = field !== undefined && type === "nominal" && Array.isArray(domain);
  return isNamed && "range" in (scale as Part) && domain.length > 1 ? [...domain, ...inner] : inner;
}

/** Texts of a picture with their place, size and colour. */
function textsOf(svg: string) {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, look, text]) => ({
    text: text!,
    px: Number(/font-size="([\d.]+)px"/.exec(look!)?.[1]),
    fill: /fill="([^"]*)"/.exec(look!)?.[1] ?? "black",
  }));
}

describe.each([...Object.keys(WORLDS), "groups"])("in the world %s", (world) => {
  test.each(Object.keys(DRAWS))("%s keeps the rules of a picture", async (name) => {
    for (const chart of DRAWS[name]!(analyses.get(world)!)) {
      if (STRUCTURES.includes(world)) expect(warningsOf(chart)).toEqual([]);
      const svg = await chart.toSvg({ background: "white" });
      const texts = textsOf(svg);
      expect(texts.filter(({ fill }) => contrastOf(fill, "#ffffff") < 4.5)).toEqual([]);
      const written = texts.map(({ text }) => text).join(" ");
      // Its rows have names of their own, its colours only tell years from halves.
      const names = name === "stability" ? [] : namesOf(chart.spec);
      for (const name of names) expect(written).toContain(name);
      // A tick of an axis from a value to itself has six decimals.
      expect(written).not.toMatch(/\d\.\d0{5}\b/);
      expect(chart.description).not.toMatch(/\. ?\.|\b1 stocks|means of 1 /);
      if (/^(two|three) sessions$/.test(world)) {
        expect(`${written} ${chart.description}`).not.toContain("95% CI");
      }
      // Half of a point that lies on the frame is cut off.
      for (const x of pointsOf(svg)) {
        expect(x).toBeGreaterThan(2);
        expect(x).toBeLessThan(638);
      }
      const narrow = narrowChart(chart, layoutOf(chart), 290);
      const sizes = JSON.stringify(narrow ?? chart.spec).matchAll(/"\w*[fF]ontSize":([\d.]+)/g);
      expect(Math.min(...[...sizes].map(([, px]) => Number(px)))).toBeGreaterThanOrEqual(9);
      for (const text of [chart.description, ...texts.map(({ text }) => text)]) {
        expect(text.replace("null hypothesis", "")).not.toMatch(
          /\b(NaN|null|undefined|Infinity)\b/,
        );
      }
      for (const layers of viewsOf(chart.spec).map(layersOf)) {
        const bars = layers.findIndex((layer) =>
          markOf(layer) === "bar" && /^(mean|excess)$/.test(fieldOf(layer, "y"))
        );
        const intervals = layers.findLastIndex((layer) =>
          markOf(layer) === "rule" && /high$/.test(fieldOf(layer, "y2"))
        );
        expect(bars === -1 || intervals > bars, "intervals above the bars of means").toBe(true);
      }
    }
  });
});

/** Rows of the panel of a horizon. */
function rowsAt(chart: Chart, horizon: number): readonly Part[] {
  const layout = layoutOf(chart)!.views as unknown as readonly [{ hconcat: readonly Part[] }];
  const panel = layout[0].hconcat.find(({ name }) => name === `horizon_${horizon}`)!;
  const data = panel["data"] ?? (panel["layer"] as readonly Part[])[1]!["data"];
  return (data as { values: readonly Part[] }).values;
}

describe("a picture of quantiles", () => {
  test.each([["excess", false], ["mean", true]] as const)(
    "states in words the %s that its bars show",
    (field, absolute) => {
      const chart = charts.quantileChart(analyses.get("planted")!, { absolute });
      const said = rowsAt(chart, 21).map((row) => Number(row[field]).toFixed(1).replace("-", "−"));
      expect(chart.description).toContain(`quantile are ${said.join(", ")} bps`);
    },
  );
});

describe("the text of a picture", () => {
  test.each(["white", "#111", "#204080", "#808080", "rgb(250, 240, 200)"])(
    "holds 4.5 to 1 on the ground %s",
    async (background) => {
      const chart = charts.icChart(analyses.get("noise")!);
      const [, r, g, b] = /rgb\((\d+), (\d+), (\d+)\)/.exec(background) ?? [];
      const hex = r === undefined
        ? { white: "#ffffff", "#111": "#111111" }[background] ?? background
        : `#${[r, g, b].map((channel) => Number(channel).toString(16)).join("")}`;
      const texts = textsOf(await chart.toSvg({ background }));
      expect(texts.length).toBeGreaterThan(10);
      for (const { fill } of texts) expect(contrastOf(fill, hex)).toBeGreaterThanOrEqual(4.5);
      const own = new charts.Chart({ ...chart.spec, background } as typeof chart.spec, chart);
      expect(textsOf(await own.toSvg()).map(({ fill }) => fill))
        .toEqual(texts.map(({ fill }) => fill));
    },
  );

  test("is grey without a known ground", async () => {
    const texts = textsOf(await charts.icChart(analyses.get("noise")!).toSvg());
    expect(new Set(texts.map(({ fill }) => fill))).toEqual(new Set(["#767676"]));
  });
});
