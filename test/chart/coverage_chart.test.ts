import { execFileSync } from "node:child_process";
import process from "node:process";
import { inflateSync } from "node:zlib";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { Buffer } from "node:buffer";
import { Chart } from "../../src/chart/chart.ts";
import { LoadPromise } from "../../src/client/verb/load_promise.ts";
import { coverageChart } from "../../src/chart/coverage_chart.ts";
import { markWholeRelease } from "../../src/frame/whole_release.ts";
import { DISPLAY } from "../../src/notebook/display.ts";
import { metadataOf } from "../../src/notebook/mime_bundle.ts";
import { releaseOf, SMALL_RELEASE } from "../helpers/release_frame.ts";

/** Opacity of the first pixel of a PNG with eight bits a channel: behind the filter byte of the first line. */
function cornerAlpha(png: Uint8Array): number {
  const bytes = Buffer.from(png);
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") {
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    }
  }
  return inflateSync(Buffer.concat(parts))[4]!;
}

describe("coverageChart()", () => {
  test("draws scored and missing rows in a Vega-Lite 5 specification", () => {
    const { spec, description } = coverageChart(SMALL_RELEASE);
    expect(spec.$schema).toBe("https://vega.github.io/schema/vega-lite/v5.json");
    expect(spec.data).toEqual({
      values: [
        { date: "2026-08-13", rows: 2, kind: "scored" },
        { date: "2026-08-13", rows: 1, kind: "missing" },
        { date: "2026-08-14", rows: 1, kind: "scored" },
        { date: "2026-08-14", rows: 0, kind: "missing" },
      ],
    });
    expect(description).toBe(
      "Coverage by session, of the rows given: 2 sessions from 2026-08-13 to 2026-08-14, 4 rows, " +
        "75.0 % with a score",
    );
  });

  test("says that it counts the rows given, unless they are all rows of a release", () => {
    const whole = markWholeRelease(SMALL_RELEASE.clone());
    expect(coverageChart(whole).description).toMatch(
      /^Coverage by session: .* 75\.0 % with a score$/,
    );
    expect(coverageChart(whole.filter(pl.col("ecpnd_score").isNotNull())).description).toMatch(
      /^Coverage by session, of the rows given: .* 100\.0 % with a score$/,
    );
  });

  test("asks for an await before a load, and for a frame instead of anything else", () => {
    const load = new LoadPromise<unknown, unknown>(new Promise(() => {}));
    expect(() => coverageChart(load as never)).toThrow(
      new TypeError(
        "Cannot draw the coverage: expected a DataFrame, got a promise; await it first",
      ),
    );
    expect(() => coverageChart(undefined as never)).toThrow(
      new TypeError("Cannot draw the coverage: expected a DataFrame, got nothing"),
    );
  });

  test("has the title and the width that it is given", () => {
    const panels = (widthPx: number) => [{ width: widthPx }, { width: widthPx }];
    expect(coverageChart(SMALL_RELEASE).spec).toMatchObject({
      title: { text: "Coverage by session, of the rows given" },
      vconcat: panels(640),
    });
    const { spec, description } = coverageChart(SMALL_RELEASE, { title: "ecpnd", widthPx: 300 });
    expect(spec).toMatchObject({ title: { text: "ecpnd" }, vconcat: panels(300) });
    expect(description).toContain("ecpnd: 2 sessions");
  });

  test("gives what is scored and what is missing a panel each, with a scale from zero", () => {
    const panel = (kind: string, title: string) => ({
      transform: [{ filter: { field: "kind", equal: kind } }],
      mark: { type: "area" },
      encoding: { y: { title, scale: { zero: true } } },
    });
    expect(coverageChart(SMALL_RELEASE).spec.vconcat).toMatchObject([
      panel("scored", "rows with a score"),
      panel("missing", "without"),
    ]);
  });

  test("has no ground of its own, in the specification, in SVG and in the picture", async () => {
    const chart = coverageChart(SMALL_RELEASE);
    expect(chart.spec).toMatchObject({ config: { background: "transparent" } });
    expect(await chart.toSvg()).not.toContain('fill="white"');
    const clear = await chart.toPng();
    const white = await chart.toPng({ background: "white" });
    expect(cornerAlpha(clear)).toBe(0);
    expect(cornerAlpha(white)).toBe(255);
  });

  test("labels every tick of its time axis, and draws lines at the counts alone", async () => {
    const days = Array.from({ length: 730 }, (_, i) => new Date(Date.UTC(2024, 10, 1 + i)));
    const svg = await coverageChart(releaseOf(days.map((day) => [day.toISOString(), 0.5]))).toSvg();
    const labels = svg.match(/[A-Z][a-z]{2} 20\d\d(?=<)/g) ?? [];
    expect(labels[0]).toBe("Jan 2025");
    expect(labels).toHaveLength(8);
    // Both panels have the ticks of the labels; the lines at the counts lie.
    const ticksDown = svg.match(/<line [^>]*x2="0" y2="5"/g) ?? [];
    expect(ticksDown).toHaveLength(16);
    const grid = svg.match(/<line [^>]*stroke="#888888" [^>]*opacity="0.35"/g) ?? [];
    expect(grid.map((line) => /x2="(\d+)"/.exec(line)![1])).toEqual(["640", "640", "640"]);
  });

  test("names days where the sessions are few", async () => {
    expect(await coverageChart(SMALL_RELEASE).toSvg()).toContain(">13 Aug 2026<");
  });

  test("says in its title and its sentence that rows are synthetic", () => {
    const titled = (...sources: string[]) => {
      const rows = pl.concat(
        sources.map((source) =>
          SMALL_RELEASE.withColumns(pl.lit(source).cast(pl.Utf8).alias("source"))
        ),
      );
      const { spec, description } = coverageChart(rows, { title: "ecpnd" });
      expect(description).toContain(`${(spec.title as { text: string }).text}: 2 sessions`);
      return spec.title;
    };
    expect(titled("embedded, synthetic")).toMatchObject({ text: "ecpnd (synthetic)" });
    expect(titled("store, synthetic", "live")).toMatchObject({ text: "ecpnd (partly synthetic)" });
    expect(titled("live", "store")).toMatchObject({ text: "ecpnd" });
  });

  test("says of a release without rows that it has no sessions", () => {
    expect(coverageChart(SMALL_RELEASE.head(0)).description).toBe(
      "Coverage by session, of the rows given: no sessions",
    );
  });

  test("shows its sentence and the reason where no picture can be drawn", async () => {
    const chart = new Chart({ mark: "no such mark" }, { description: "Two rows" });
    const bundle = await chart[DISPLAY]();
    expect(Object.keys(bundle)).toEqual(["text/plain"]);
    expect(bundle["text/plain"]).toMatch(/^Two rows \(no picture: .+\)$/);
  });

  test("is a picture of twice the resolution of a screen", async () => {
    const png = Buffer.from(await coverageChart(SMALL_RELEASE, { widthPx: 300 }).toPng());
    const svg = await coverageChart(SMALL_RELEASE, { widthPx: 300 }).toSvg();
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg)!;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      2 * Number(width),
      2 * Number(height),
    ]);
  });

  test("is shown at the size of the chart, not at that of its pixels", async () => {
    const chart = coverageChart(SMALL_RELEASE, { widthPx: 300 });
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(await chart.toSvg())!;
    expect(metadataOf(await chart[DISPLAY]())).toEqual({
      "image/png": { width: Number(width), height: Number(height) },
    });
  });

  test("gives notebooks the chart, a picture and a sentence", async () => {
    const bundle = await coverageChart(SMALL_RELEASE)[DISPLAY]();
    expect(Object.keys(bundle)).toEqual([
      "application/vnd.vegalite.v5+json",
      "image/png",
      "text/plain",
    ]);
    expect(String(bundle["image/png"]).slice(0, 8)).toBe("iVBORw0K");
  });

  test("writes its text without a font of the system", async () => {
    const withTitle = await coverageChart(SMALL_RELEASE).toPng();
    const without = await coverageChart(SMALL_RELEASE, { title: "" }).toPng();
    // The title is one line of dark pixels more: without a font both would be equally empty.
    expect(withTitle.length).toBeGreaterThan(without.length + 1000);
  });

  test("draws the same picture in every time zone", () => {
    const module = new URL("../../src/chart/coverage_chart.ts", import.meta.url).href;
    const code = `import pl from "nodejs-polars"; import { coverageChart } from "${module}";
      const date = pl.Series("date", ["2026-01-02", "2026-03-02"].map((day) => new Date(day)), pl.Date);
      const score = pl.Series("ecpnd_score", [0.5, 1], pl.Float64);
      console.log(await coverageChart(pl.DataFrame([date, score])).toSvg());`;
    const svgs = ["UTC", "America/New_York", "Australia/Sydney"].map((TZ) =>
      execFileSync(Deno.execPath(), ["eval", code], {
        env: { ...process.env, TZ },
        encoding: "utf8",
      })
    );
    expect(svgs[0]).toMatch(/^<svg/);
    expect(new Set(svgs).size).toBe(1);
  });

  test("draws at most some hundred points of a long release, the last one among them", () => {
    const days = Array.from({ length: 2500 }, (_, i) => new Date(Date.UTC(2016, 0, 1 + i)));
    const { spec } = coverageChart(releaseOf(days.map((day) => [day.toISOString(), 0.5])));
    const { values } = spec.data as { values: { date: string }[] };
    expect(values.length).toBeLessThan(1100);
    expect(values.at(-1)!.date).toBe(days.at(-1)!.toISOString().slice(0, 10));
  });
});
