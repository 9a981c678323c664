import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Chart } from "../../../../src/report/chart/chart.ts";
import type { VegaSpec } from "../../../../src/report/chart/chart_spec.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-hostile-"));
  await writeFile(join(folder, "secret.csv"), "name,y\nsecret,1\n");
});
afterAll(() => rm(folder, { recursive: true }));

function specOf(data: unknown, mark: unknown = "bar", more = {}): VegaSpec {
  return {
    data,
    mark,
    encoding: {
      x: { field: "name", type: "nominal" },
      y: { field: "y", type: "quantitative" },
      ...more,
    },
  } as VegaSpec;
}

describe("a specification that somebody else wrote", () => {
  test("reads no file of the machine when it is drawn", async () => {
    const path = join(folder, "secret.csv");
    for (const url of [path, `file://${path}`]) {
      const chart = new Chart(specOf({ url }), { description: "Bars" });
      await expect(chart.toSvg()).rejects.toThrow(
        "expected its rows in the specification, got the address",
      );
      await expect(chart.toPng()).rejects.toThrow(TypeError);
    }
    const allowed = new Chart(specOf({ url: path }), { description: "Bars", mayLoad: true });
    expect(await allowed.toSvg()).toContain("secret");
    expect(await new Chart(allowed.spec, allowed).toSvg()).toContain("secret");
  });

  test("asks no address", async () => {
    const asked: string[] = [];
    const server = Deno.serve({ port: 0, onListen: () => {} }, (request) => {
      asked.push(request.url);
      return new Response("name,y\nA,1\n");
    });
    const url = `http://localhost:${server.addr.port}/a.csv`;
    const rows = new Chart(specOf({ url }), { description: "Bars" });
    const image = { type: "image", url, width: 9, height: 9 };
    const pictures = new Chart(specOf({ values: [{ name: "A", y: 1 }] }, image), {
      description: "Images",
    });
    await expect(rows.toSvg()).rejects.toThrow(/address/);
    await expect(pictures.toPng()).rejects.toThrow(/address/);
    await server.shutdown();
    expect(asked).toEqual([]);
  });

  test.each([false, true])(
    "has no link that a browser would run, and is drawn without it (mayLoad: %s)",
    async (mayLoad) => {
      const hrefs = ["javascript:alert(1)", "java\nscript:alert(1)", "https://example.com/a"];
      const values = hrefs.map((href, i) => ({ name: `N${i}`, y: i + 1, href }));
      const spec = specOf({ values }, "bar", { href: { field: "href" } });
      const svg = await new Chart(spec, { description: "Bars", mayLoad }).toSvg();
      expect(svg).not.toContain("script:");
      expect(svg).toContain('href="https://example.com/a"');
    },
  );

  test("has pages with a policy that loads nothing, and without scripts runs none", async () => {
    const chart = new Chart(specOf({ values: [{ name: "A", y: 1 }] }), { description: "Bars" });
    expect(await chart.toHtml({ interactive: false })).toContain(
      "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    );
    expect(await chart.toHtml()).toContain("script-src 'unsafe-inline' 'unsafe-eval'; style-src");
  });
});
