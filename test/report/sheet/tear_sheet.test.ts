import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { turnoverChart } from "../../../src/report/chart/factor/turnover_chart.ts";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { compareSheets } from "../../../src/report/sheet/compare_sheets.ts";
import { SheetPart } from "../../../src/report/sheet/sheet_part.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES, sampleAnalysis } from "../../helpers/sample_analysis.ts";

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

const PARTS = ["summary", "judgement", "information", "returns", "costs", "stability", "methods"];
const OTHERS = ["losses", "coverage", "tests", "tables", "sentences", "trialLog"];

/** Values of an attribute, in the order of the page. */
function attributes(page: string, name: string): readonly string[] {
  return [...page.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map((match) => match[1]!);
}

describe("tearSheet()", () => {
  test("has its parts in the order in which they are read, each to be had alone", async () => {
    const sheet = tearSheet(analysis);
    expect(sheet.parts.map((part) => part.name)).toEqual(PARTS);
    const bundle = await sheet.part("costs")[DISPLAY]();
    expect(bundle["text/html"]).toContain("<h2");
    expect(bundle["text/plain"]).toContain("Turnover and costs");
    const two = tearSheet(analysis, { parts: ["trialLog", "judgement"] });
    expect(two.parts.map((part) => part.name)).toEqual(["trialLog", "judgement"]);
    for (const name of OTHERS) expect(sheet.part(name).name).toBe(name);
    expect(sheet.part("sentences").text).toContain("permutes residual returns");
  });

  test("shows its pictures in a notebook as images, which stay where SVG is removed", async () => {
    const sheet = tearSheet(analysis, { parts: ["returns", "costs"] });
    for (const shown of [sheet, sheet.part("returns")]) {
      const html = String((await shown[DISPLAY]())["text/html"]);
      expect(html).not.toContain("<svg");
      const images = attributes(html, "src");
      expect(images.length).toBe(shown === sheet ? 2 : 1);
      for (const image of images) {
        const [head, data] = image.split(",");
        expect(head).toBe("data:image/svg+xml;base64");
        expect(atob(data!)).toMatch(/^<svg [\s\S]*<\/svg>$/);
      }
    }
  });

  test("is one small file that loads nothing and needs no script", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-sheet-"));
    const path = join(folder, "sheet.html");
    await tearSheet(analysis).save(path);
    const page = await readFile(path, "utf8");
    await rm(folder, { recursive: true });
    expect(page.length).toBeLessThan(1_500_000);
    expect(page).not.toMatch(/<script|<link|<img|@import|\ssrc=/);
    expect(attributes(page, "href").filter((href) => !href.startsWith("#"))).toEqual([]);
    expect(page).toContain("prefers-color-scheme: dark");
    expect(page).toContain("@page { size: A4");
  });

  test("gives every id once, and refers to none that is not there", async () => {
    const page = await tearSheet(analysis).toHtml();
    const ids = attributes(page, "id");
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    const referred = [
      ...attributes(page, "aria-labelledby"),
      ...attributes(page, "aria-describedby"),
      ...attributes(page, "href").map((href) => href.slice(1)),
      ...[...page.matchAll(/url\(#([^)]+)\)/g)].map((match) => match[1]!),
    ];
    expect(referred.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test("says beneath each picture what it shows, and in its text all of it", async () => {
    const sheet = tearSheet(analysis);
    const page = await sheet.toHtml();
    const pictures = sheet.parts.flatMap((part) => [...part.small, ...part.charts]);
    expect(pictures).toHaveLength(8);
    expect(page.match(/<figcaption/g)).toHaveLength(pictures.length);
    // A picture that is too wide for a telephone has a narrow drawing beside it.
    const named = [...page.matchAll(/role="img" aria-label="[^"]+" aria-describedby="([^"]+)"/g)];
    expect(new Set(named.map(([, id]) => id)).size).toBe(pictures.length);
    expect(named.length - pictures.length).toBe(page.split('<div class="narrow">').length - 1);
    for (const { description } of pictures) expect(sheet.text).toContain(description);
    expect(sheet.text).toContain("The scores are synthetic");
  });

  test("has headings without a gap, and tables with captions and heads", async () => {
    const page = await tearSheet(analysis).toHtml();
    expect([...page.matchAll(/<h(\d)/g)].map((match) => match[1])).toEqual([
      "1",
      ...PARTS.map(() => "2"),
    ]);
    expect(page.match(/<caption>/g)).toHaveLength(page.match(/<table>/g)!.length);
    expect(page).toContain('<th scope="col"');
  });

  test("shows null as no value, never as zero", async () => {
    const page = await tearSheet(analysis, { parts: ["losses"] }).toHtml();
    expect(page).toContain('<td class="none number">no value</td>');
    expect(page).not.toMatch(/<td class="none[^>]*>0/);
  });

  test("begins with what was used, found and traded, each with its interval, on the page and in its text", async () => {
    const sheet = tearSheet(analysis, { horizon: 5 });
    const { numbers } = sheet.part("summary");
    expect(numbers.map(({ label }) => label)).toEqual([
      ...["Rows used", "Mean rank IC", "Quantile spread", "Half-life of the IC"],
      ...[
        "Sharpe ratio, before costs",
        "Traded value per session",
        "Break-even cost",
        "Tests in the trial log",
      ],
    ]);
    expect(numbers[0]).toEqual({
      label: "Rows used",
      value: "90.1%",
      note: "of 1,680, 5 sessions ahead",
    });
    expect(numbers[1]!.note).toMatch(/^95% CI 0\.\d{3} to 0\.\d{3}, 5 sessions ahead, n = 130$/);
    expect(numbers[6]).toEqual({
      label: "Break-even cost",
      value: "31.4 bps",
      note: "95% CI 28.5 to 34.2, one way",
    });
    expect(sheet.text).toContain("Rows used: 90.1% (of 1,680, 5 sessions ahead)");
    const permuted = Object.values(sheet.part("tests").tables).at(-1);
    expect(permuted!.toRecords()).toEqual(analysis.permutation!.toRecords());
    const page = await sheet.toHtml();
    expect(page).toContain("<li>Rows used <strong>90.1%</strong>");
  });

  test("gives the numbers of a column equal decimals, and shows no small number as zero", async () => {
    const frame = pl.DataFrame({ ic: [0.0412, 0.25, 0.0000003], n: [1200, 3, 4] });
    const part = new SheetPart({ name: "x", title: "X", tables: { "A table": frame } });
    const html = String((await part[DISPLAY]())["text/html"]);
    const cells = [...html.matchAll(/<td class="number">([^<]*)</g)].map(([, text]) => text);
    expect(cells).toEqual(["0.04120", "1,200", "0.25000", "3", "3.0e−7", "4"]);
    const mixed = pl.DataFrame({ number: [0.0079, 68.8059955] });
    const other = new SheetPart({ name: "y", title: "Y", tables: { "Of all kinds": mixed } });
    expect(String((await other[DISPLAY]())["text/html"])).toContain(
      '<td class="number">68.81</td>',
    );
  });

  test("writes p values in one way, in tables, in its text, and in the numbers that are read first", async () => {
    const frame = pl.DataFrame({ union_p: [0.0412, 0.25, 0.0000003], p: [1, 0.00012, null] });
    const part = new SheetPart({ name: "x", title: "X", tables: { "A table": frame } });
    const html = String((await part[DISPLAY]())["text/html"]);
    const cells = [...html.matchAll(/<td class="[^"]*">([^<]*)</g)].map(([, text]) => text);
    expect(cells).toEqual(["0.041", "1.00", "0.25", "0.00012", "&lt; 0.0001", "no value"]);
    expect(part.text).toMatch(/0\.041 +1\.00\n +0\.25 +0\.00012\n< 0\.0001 +no value/);
    const text = tearSheet(analysis).text;
    expect(text).not.toMatch(/\de[-−]\d/);
  });

  test("says in its trial log of which factor each test was, and its options in words", () => {
    const table = tearSheet(analysis).part("trialLog").tables["Trial log"]!;
    expect(table.select("what", "of", "options").row(0)).toEqual([
      "mean IC",
      "ecpnd, release 58080ada…",
      "horizon 1, method ewc",
    ]);
  });

  test("keeps short words of a table on one line, and gives long ones room", async () => {
    const detail = "of 199 shifted copies, 0 with a mean at least as large";
    const frame = pl.DataFrame({ check: ["non-overlapping, lowest t"], detail: [detail] });
    const part = new SheetPart({ name: "x", title: "X", tables: { "A table": frame } });
    const html = String((await part[DISPLAY]())["text/html"]);
    expect(html).toContain("<td>non-overlapping, lowest t</td>");
    expect(html).toContain(`<td class="long">${detail}</td>`);
  });

  test("gives notebooks pictures that also show where one is not trusted, which may hold no SVG", async () => {
    const bundle = await tearSheet(analysis, { parts: ["stability"] })[DISPLAY]();
    const html = String(bundle["text/html"]);
    expect(html).not.toContain("<svg");
    const [, data] = /<img src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html)!;
    expect(new TextDecoder().decode(Uint8Array.fromBase64(data!))).toMatch(/^<svg .*<\/svg>$/s);
  });

  test("refuses what is no analysis, other options and another ending", async () => {
    expect(() => tearSheet(Promise.resolve(analysis) as never)).toThrow(/await analyzeFactor/);
    expect(() => tearSheet(analysis, { horizn: 5 } as never)).toThrow(TypeError);
    expect(() => tearSheet(analysis, { horizon: 4 })).toThrow(RangeError);
    await expect(tearSheet(analysis).save("sheet.pdf")).rejects.toThrow(TypeError);
  });
});

describe("a sheet of three sessions", () => {
  test("says of each picture that it has nothing to show, and makes no number of nothing", async () => {
    const date = ["2026-10-28", "2026-10-29", "2026-10-30"].flatMap((day) => [day, day]);
    const ticker = ["A", "B", "A", "B", "A", "B"];
    const scores = pl.DataFrame({ date, ticker, score: [0.1, 0.9, 0.2, 0.8, 0.3, null] });
    const prices = pl.DataFrame({ date, ticker, close: [10, 20, 11, 19, 12, 18] });
    const sheet = tearSheet(await analyzeFactor(scores, prices, { progress: false }));
    expect(sheet.text).toContain("2 stocks");
    expect(sheet.text).not.toMatch(/NaN|undefined|Infinity/);
    expect(await sheet.toHtml()).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("a sheet of scores that are all null", () => {
  test("says that no row has a score, and nothing of parts", async () => {
    const date = ["2026-10-28", "2026-10-29", "2026-10-30"].flatMap((day) => [day, day]);
    const ticker = ["A", "B", "A", "B", "A", "B"];
    const scores = pl.DataFrame({ date, ticker })
      .withColumns(pl.lit(null).cast(pl.Float64).alias("score"));
    const prices = pl.DataFrame({ date, ticker, close: [10, 20, 11, 19, 12, 18] });
    const sheet = tearSheet(await analyzeFactor(scores, prices, { progress: false }));
    expect(sheet.text).toContain("Nothing to draw: no row");
  });
});

describe("a portfolio that loses before costs", () => {
  let loser: FactorAnalysis;
  beforeAll(async () => {
    const turned = SAMPLE_SCORES.withColumns(pl.lit(1).minus(pl.col("score")).alias("score"));
    const options = { entry: "same", periods: [1], lags: [1, 2], progress: false } as const;
    loser = await analyzeFactor(turned, SAMPLE_MARKET.prices, options);
  });

  test("has no break-even in the numbers, the picture and the judgement, and the interval of the rate", () => {
    const [number] = tearSheet(loser).part("summary").numbers
      .filter(({ label }) => label === "Break-even cost");
    expect(number).toEqual({
      label: "Break-even cost",
      value: "no break-even",
      note: expect.stringMatching(
        /^95% CI of the rate −\d+\.\d to −\d+\.\d bps, mean return not above zero$/,
      ),
    });
    expect(turnoverChart(loser).description).toMatch(
      / no break-even cost, .* \(95% CI of .* −\d+\.\d to −\d+\.\d bps\)/,
    );
    expect(judgement(loser).text.replace(/\s+/g, " ")).toMatch(
      / no break-even cost, .* \(95% CI of .* −/,
    );
  });
});

describe("compareSheets()", () => {
  test("draws no picture wider than its plot and the words beside it", async () => {
    for (const sheet of [compareSheets([analysis, analysis]), tearSheet(analysis)]) {
      const pictures = (await sheet.toHtml()).matchAll(/<svg [^>]*? width="([\d.]+)"/g);
      const widths = [...pictures].map((match) => Number(match[1]));
      expect(widths.length).toBeGreaterThan(0);
      expect(widths.filter((width) => width > 900)).toEqual([]);
    }
  });

  test("refuses what is no analysis", () => {
    expect(() => compareSheets(analysis as never)).toThrow(TypeError);
    expect(() => compareSheets([analysis, {} as never])).toThrow(TypeError);
    expect(() => compareSheets([analysis])).toThrow("expected 2 to 6 analyses, got 1");
    expect(() => compareSheets([analysis, analysis], { names: ["one"] })).toThrow(/names/);
  });
});
