import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Chart } from "../../../src/report/chart/chart.ts";
import { plot } from "../../../src/report/chart/plot/plot.ts";
import { packageFile } from "../../../src/report/chart/render/chart_fonts.ts";
import { describeWithPoppler } from "../../helpers/needs_poppler.ts";

const run = promisify(execFile);
const FRAME = pl.DataFrame({
  lag: [1, 2, 3],
  ic: [0.03, 0.02, -0.01],
  source: ["embedded, synthetic", "embedded, synthetic", "embedded, synthetic"],
});
const chart = plot(FRAME, { x: "lag", y: "ic", mark: "bar", title: 'Decay of <the> IC, "−1" & 3' });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-pdf-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function poppler(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(program, [...args]);
  // Poppler tells here what is no correct PDF.
  expect(stderr).toBe("");
  return stdout;
}

describe("a PDF of a chart", () => {
  test("names the packages that it needs where they are not installed", async () => {
    vi.resetModules();
    vi.doMock("svg-to-pdfkit", () => {
      throw new Error("Cannot find package 'svg-to-pdfkit'");
    });
    const { renderPdf } = await import("../../../src/report/chart/render/render_pdf.ts");
    await expect(renderPdf(chart, {})).rejects.toThrow(
      "deno add npm:pdfkit@0.20.2 npm:svg-to-pdfkit@0.1.8",
    );
    vi.doUnmock("svg-to-pdfkit");
  });

  test("is saved by its ending, with equal bytes each time", async () => {
    const [path, again] = [join(folder, "a.pdf"), join(folder, "b.PDF")];
    await chart.save(path);
    await chart.save(again);
    const bytes = await readFile(path);
    expect(bytes.toString("latin1", 0, 8)).toBe("%PDF-1.7");
    expect(bytes.equals(await readFile(again))).toBe(true);
    expect(bytes.equals(await chart.toPdf())).toBe(true);
    expect(bytes.length).toBeLessThan(40_000);
    expect(bytes.toString("latin1")).not.toContain("CreationDate");
  });

  test("refuses options that it has not, and addresses as the other pictures do", async () => {
    await expect(chart.toPdf({ scale: 3 } as never)).rejects.toThrow(TypeError);
    const remote = new Chart({ data: { url: "/etc/hostname" }, mark: "bar" }, { description: "x" });
    await expect(remote.toPdf()).rejects.toThrow(TypeError);
    const picture = new Chart(
      {
        data: { values: [{ src: "/etc/hostname" }] },
        mark: "image",
        encoding: { url: { field: "src" } },
      },
      { description: "x" },
    );
    await expect(picture.toPdf()).rejects.toThrow(TypeError);
  });
});

describeWithPoppler("a PDF of a chart, read by Poppler", () => {
  test("has vectors and searchable words with their glyphs, and no image", async () => {
    const path = join(folder, "a.pdf");
    await chart.save(path);
    expect((await poppler("pdfimages", "-list", path)).trim().split("\n")).toHaveLength(2);
    const fonts = (await poppler("pdffonts", path)).trim().split("\n").slice(2);
    expect(fonts.map((line) => /^\w+\+(\S+) .* yes yes yes /.exec(line)?.[1]).toSorted())
      .toEqual(["DejaVuSans", "DejaVuSans-Bold"]);
    const words = await poppler("pdftotext", "-layout", path, "-");
    expect(words).toContain('Decay of <the> IC, "−1" & 3');
    expect(words).toContain("Synthetic rows");
    expect(words).toContain("−0.01");
  });

  test("says in its properties what it is, and what it shows to those who do not see it", async () => {
    const path = join(folder, "a.pdf");
    await chart.save(path);
    const info = await poppler("pdfinfo", path);
    expect(info).toMatch(/^Title: +Decay of <the> IC, "−1" & 3$/m);
    expect(info).toContain(`Subject:         ${chart.description}`);
    expect(info).toMatch(/^Tagged: +yes$/m);
    expect(info).toMatch(/^Pages: +1$/m);
    const svg = /" width="([\d.]+)" height="([\d.]+)"/.exec(await chart.toSvg())!;
    const size = /^Page size: +([\d.]+) x ([\d.]+) pts/m.exec(info)!;
    // 96 pixels and 72 points are an inch.
    expect(Number(size[1])).toBeCloseTo(0.75 * Number(svg[1]), 1);
    expect(Number(size[2])).toBeCloseTo(0.75 * Number(svg[2]), 1);
    expect(await poppler("pdfinfo", "-struct", path)).toMatch(/^Document\s+Figure/);
  });

  test("is drawn in the font whose files it is given, on the ground that it is given", async () => {
    const fontFiles = [packageFile("dejavu-fonts-ttf/ttf/DejaVuSerif.ttf")!];
    const path = join(folder, "a.pdf");
    await chart.with({ font: "DejaVu Serif" }).save(path, { fontFiles, background: "white" });
    expect(await poppler("pdffonts", path)).toContain("DejaVuSerif");
    expect(await poppler("pdffonts", path)).not.toContain("DejaVuSans");
    expect(await chart.toPdf({ background: "#fafafa" })).not.toEqual(await chart.toPdf());
  });

  test.each(
    [
      ["rgb(255, 255, 0)", [255, 255, 0]],
      ["hsl(240, 100%, 50%)", [0, 0, 255]],
      ["#ff0", [255, 255, 0]],
      ["rgba(0, 0, 255, 0.5)", [127, 127, 255]],
      ["transparent", [255, 255, 255]],
    ] as const,
  )("has the ground %s, as a PNG has", async (background, ground) => {
    const path = join(folder, "a.pdf");
    await chart.save(path, { background });
    await poppler("pdftoppm", "-r", "20", "-singlefile", path, join(folder, "a"));
    const ppm = await readFile(join(folder, "a.ppm"));
    const [header, width] = /^P6\n(\d+) \d+\n255\n/.exec(ppm.toString("latin1"))!;
    // A pixel of the margin, two from the left and two from above.
    const pixel = ppm.subarray(header.length + 3 * (2 * Number(width) + 2));
    for (const [i, value] of ground.entries()) {
      expect(Math.abs(pixel[i]! - value)).toBeLessThan(3);
    }
  });

  test.each(["a\u0000b", "]]>", "<script>", "\\) Tj", "漢字", "\ud800"])(
    "holds the column value %j",
    async (ticker) => {
      const frame = pl.DataFrame({ ticker: [ticker, "B"], score: [0.25, 0.5] });
      const path = join(folder, "a.pdf");
      await plot(frame, { x: "ticker", y: "score", mark: "bar" }).save(path);
      expect(await poppler("pdftotext", path, "-")).toContain("score");
    },
  );
});
