import { execFileSync } from "node:child_process";
import process from "node:process";
import { inflateSync } from "node:zlib";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { Buffer } from "node:buffer";
import { Chart } from "../../../../src/report/chart/chart.ts";
import { LoadPromise } from "../../../../src/client/verb/load_promise.ts";
import { coverageChart } from "../../../../src/report/chart/scores/coverage_chart.ts";
import { markWholeRelease } from "../../../../src/frames/frame/release/release_frame.ts";
import { DISPLAY } from "../../../../src/frames/notebook/display.ts";
import { metadataOf } from "../../../../src/frames/notebook/mime_bundle.ts";
import { releaseOf, SMALL_RELEASE } from "../../../helpers/release_frame.ts";

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
  test("asks for an await before a load, and for a frame instead of anything else", () => {
    const load = new LoadPromise<unknown, unknown>(new Promise(() => {}));
    expect(() => coverageChart(load as never)).toThrow(
      new TypeError(
        "Cannot draw the coverage of a release: expected a DataFrame, got a promise; await it first",
      ),
    );
    expect(() => coverageChart(undefined as never)).toThrow(
      new TypeError("Cannot draw the coverage of a release: expected a DataFrame, got nothing"),
    );
  });

  test("counts scored and missing rows in a Vega-Lite 5 specification", () => {
    const { spec, description } = coverageChart(SMALL_RELEASE);
    expect(spec.$schema).toBe("https://vega.github.io/schema/vega-lite/v5.json");
    expect(spec.datasets).toEqual({
      coverage: [
        { session: "2026-08-13", scored: 2, missing: 1 },
        { session: "2026-08-14", scored: 1, missing: 0 },
      ],
    });
    expect(description).toBe(
      "75.0% of 4 rows have a score, 1 to 2 per session. " +
        "Coverage by session, of the rows given: 2 sessions, 2026-08-13 to 2026-08-14. " +
        "Origin of the rows unknown.",
    );
  });

  test("says that it counts the rows given, unless they are all rows of a release", () => {
    const whole = markWholeRelease(SMALL_RELEASE.clone());
    expect(coverageChart(whole).description).toMatch(/^75\.0% of .* Coverage by session: /);
    expect(coverageChart(whole.filter(pl.col("ecpnd_score").isNotNull())).description).toMatch(
      /^100\.0% of .* Coverage by session, of the rows given: /,
    );
  });

  test("has the title, the width and the footnote that it is given", () => {
    const { spec, description } = coverageChart(SMALL_RELEASE, {
      title: "ecpnd",
      widthPx: 300,
      footnote: "My own rows",
    });
    expect(spec).toMatchObject({
      title: { text: "ecpnd" },
      vconcat: [{ vconcat: [{ width: 300 }, { width: 300 }] }, { mark: { text: ["My own rows"] } }],
    });
    expect(description).toMatch(/^ecpnd\. Coverage by session.*: 2 sessions.* My own rows\.$/);
  });

  test("refuses options that it does not have, and a width that is none", () => {
    expect(() => coverageChart(SMALL_RELEASE, { tite: "x" } as never)).toThrow(TypeError);
    expect(() => coverageChart(SMALL_RELEASE, { widthPx: NaN })).toThrow(RangeError);
    expect(() => coverageChart(pl.DataFrame({ ticker: ["A"] }))).toThrow(TypeError);
  });

  test("gives what is scored and what is missing a panel each, from zero, that zoom together", () => {
    const panel = (field: string, title: string) => ({
      mark: { type: "area" },
      encoding: { y: { field, title, scale: { zero: true } } },
    });
    expect((coverageChart(SMALL_RELEASE).spec.vconcat as unknown[])[0]).toMatchObject({
      vconcat: [panel("scored", "rows with a score"), panel("missing", "without")],
      resolve: { scale: { x: "shared" } },
    });
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

  test("names years on its time axis, and days where the sessions are few", async () => {
    const days = Array.from({ length: 730 }, (_, i) => new Date(Date.UTC(2024, 10, 1 + i)));
    const svg = await coverageChart(releaseOf(days.map((day) => [day.toISOString(), 0.5]))).toSvg();
    expect(svg.match(/>2025</g)).toHaveLength(2);
    expect(svg.match(/>Jul 2025</g)).toHaveLength(2);
    expect(await coverageChart(SMALL_RELEASE).toSvg()).toContain(">13 Aug 2026<");
  });

  test("says in its footnote and its sentence that rows are synthetic, also in a footnote that is given", () => {
    const said = (options: { readonly footnote?: string }, ...sources: string[]) => {
      const rows = pl.concat(
        // Each source has rows of its own: one row first, the rest last.
        sources.map((source, i) =>
          SMALL_RELEASE.slice(i, i + 1 < sources.length ? 1 : SMALL_RELEASE.height)
            .withColumns(pl.lit(source).cast(pl.Utf8).alias("source"))
        ),
      );
      const { spec, description } = coverageChart(rows, options);
      const { text } = ((spec.vconcat as unknown[])[1] as { mark: { text: string[] } }).mark;
      expect(description).toContain(text.join(" "));
      return text.join(" ");
    };
    expect(said({}, "embedded, synthetic")).toMatch(/ · Synthetic rows$/);
    expect(said({}, "store, synthetic", "live")).toMatch(/ · Partly synthetic rows$/);
    expect(said({}, "live", "store")).not.toMatch(/ynthetic/);
    expect(said({ footnote: "Mine" }, "embedded, synthetic")).toBe("Mine · Synthetic rows");
  });

  test("refuses a release without rows", () => {
    expect(() => coverageChart(SMALL_RELEASE.head(0))).toThrow(RangeError);
  });

  test("shows its sentence and the reason where no picture can be drawn", async () => {
    const chart = new Chart({ mark: "no such mark" } as never, { description: "Two rows" });
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

  test("is shown at the size of the chart, not at that of its pixels, with its words for pages that nbconvert makes", async () => {
    const chart = coverageChart(SMALL_RELEASE, { widthPx: 300 });
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(await chart.toSvg())!;
    expect(metadataOf(await chart[DISPLAY]())).toEqual({
      "image/png": { width: Number(width), height: Number(height), alt: chart.description },
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
    const module =
      new URL("../../../../src/report/chart/scores/coverage_chart.ts", import.meta.url).href;
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

  test("draws at most 500 points of a long release, and says that they are means", () => {
    const days = Array.from({ length: 2500 }, (_, i) => new Date(Date.UTC(2016, 0, 1 + i)));
    const rows = days.map((day, i) => [day.toISOString(), i % 5 === 0 ? null : 0.5] as const);
    const { spec } = coverageChart(releaseOf(rows));
    const { coverage } = spec.datasets as { coverage: readonly unknown[] };
    expect(coverage).toHaveLength(500);
    expect(coverage[1]).toEqual({ session: "2016-01-06", scored: 0.8, missing: 0.2 });
    expect(JSON.stringify(spec.title)).toContain("Aggregated: means of 5 sessions");
  });
});
