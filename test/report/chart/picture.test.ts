import { execFileSync } from "node:child_process";
import process from "node:process";
import { inflateSync } from "node:zlib";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { Buffer } from "node:buffer";
import { Chart } from "../../../src/report/chart/chart.ts";
import { plot, type PlotOptions } from "../../../src/report/chart/mod.ts";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { metadataOf } from "../../../src/frames/notebook/mime_bundle.ts";
import { SMALL_RELEASE } from "../../helpers/release_frame.ts";

function draw(frame: pl.DataFrame, options: Partial<PlotOptions> = {}): Chart {
  return plot(frame, { x: "date", y: "ecpnd_score", ...options });
}

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

describe("a picture", () => {
  test("has no ground of its own, in the specification, in SVG and in the picture", async () => {
    const chart = draw(SMALL_RELEASE);
    expect(chart.spec).toMatchObject({ config: { background: "transparent" } });
    expect(await chart.toSvg()).not.toContain('fill="white"');
    const clear = await chart.toPng();
    const white = await chart.toPng({ background: "white" });
    expect(cornerAlpha(clear)).toBe(0);
    expect(cornerAlpha(white)).toBe(255);
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
      const { spec, description } = draw(rows, options);
      const { text } = ((spec.vconcat as unknown[])[1] as { mark: { text: string[] } }).mark;
      expect(description).toContain(text.join(" "));
      return text.join(" ");
    };
    expect(said({}, "embedded, synthetic")).toMatch(/ · Synthetic rows$/);
    expect(said({}, "store, synthetic", "live")).toMatch(/ · Partly synthetic rows$/);
    expect(said({}, "live", "store")).not.toMatch(/ynthetic/);
    expect(said({ footnote: "Mine" }, "embedded, synthetic")).toBe("Mine · Synthetic rows");
    expect(said({ footnote: "real numbers, no Synthetic rows" }, "embedded, synthetic"))
      .toBe("real numbers, no Synthetic rows · Synthetic rows");
  });

  test("shows its sentence and the reason where no picture can be drawn", async () => {
    const chart = new Chart({ mark: "no such mark" } as never, { description: "Two rows" });
    const bundle = await chart[DISPLAY]();
    expect(Object.keys(bundle)).toEqual(["text/plain"]);
    expect(bundle["text/plain"]).toMatch(/^Two rows \(no picture: .+\)$/);
  });

  test("is a picture of twice the resolution of a screen", async () => {
    const png = Buffer.from(await draw(SMALL_RELEASE, { widthPx: 300 }).toPng());
    const svg = await draw(SMALL_RELEASE, { widthPx: 300 }).toSvg();
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(svg)!;
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      2 * Number(width),
      2 * Number(height),
    ]);
  });

  test("is shown at the size of the chart, not at that of its pixels, with its words for pages that nbconvert makes", async () => {
    const chart = draw(SMALL_RELEASE, { widthPx: 300 });
    const [, width, height] = /<svg[^>]* width="(\d+)" height="(\d+)"/.exec(await chart.toSvg())!;
    expect(metadataOf(await chart[DISPLAY]())).toEqual({
      "image/png": { width: Number(width), height: Number(height), alt: chart.description },
    });
  });

  test("gives notebooks the chart, a picture and a sentence", async () => {
    const bundle = await draw(SMALL_RELEASE)[DISPLAY]();
    expect(Object.keys(bundle)).toEqual([
      "application/vnd.vegalite.v5+json",
      "image/png",
      "text/plain",
    ]);
    // Stored, it is read on any page: a white card.
    expect(cornerAlpha(Uint8Array.fromBase64(String(bundle["image/png"])))).toBe(255);
  });

  test("writes its text without a font of the system", async () => {
    const withTitle = await draw(SMALL_RELEASE).toPng();
    const without = await draw(SMALL_RELEASE, { title: "" }).toPng();
    // The title is one line of dark pixels more: without a font both would be equally empty.
    expect(withTitle.length).toBeGreaterThan(without.length + 1000);
  });

  test("draws the same picture in every time zone", () => {
    const module = new URL("../../../src/report/chart/mod.ts", import.meta.url).href;
    const code = `import pl from "nodejs-polars"; import { plot } from "${module}";
      const date = pl.Series("date", ["2026-01-02", "2026-03-02"].map((day) => new Date(day)), pl.Date);
      const score = pl.Series("ecpnd_score", [0.5, 1], pl.Float64);
      console.log(await plot(pl.DataFrame([date, score]), { x: "date", y: "ecpnd_score" }).toSvg());`;
    const svgs = ["UTC", "America/New_York", "Australia/Sydney"].map((TZ) =>
      execFileSync(Deno.execPath(), ["eval", code], {
        env: { ...process.env, TZ },
        encoding: "utf8",
      })
    );
    expect(svgs[0]).toMatch(/^<svg/);
    expect(new Set(svgs).size).toBe(1);
  });
});
