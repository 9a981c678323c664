// @heavy: a browser
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type Pictured, pictured, PICTURES } from "../../.ci/site/pictures.ts";
import { ROOT } from "../helpers/source_files.ts";

let now: Pictured;
let readme: string;
beforeAll(async () => {
  now = await pictured();
  readme = await readFile(join(ROOT, "README.md"), "utf8");
}, 600_000);

async function sizeOf(name: string): Promise<readonly [number, number]> {
  const png = await readFile(join(PICTURES, name));
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

describe("the pictures of the README", () => {
  test("are in step with what they show; deno task generate pictures draws them", async () => {
    const drawn = JSON.parse(await readFile(join(PICTURES, "drawn.json"), "utf8"));
    expect(drawn).toEqual(now.drawn);
  });

  test("are shown, in light and in dark, with their words", () => {
    for (const name of ["ic_light", "ic_dark", "sheet_light", "sheet_dark"]) {
      expect(readme).toContain(`docs/pictures/${name}.png`);
    }
    expect(readme).toContain(`alt="${now.chart.description}"`);
    expect(readme).toContain('media="(prefers-color-scheme: dark)"');
  });

  test("are large enough for a screen of twice the resolution", async () => {
    expect((await sizeOf("ic_light.png"))[0]).toBeGreaterThan(1500);
    expect(await sizeOf("sheet_light.png")).toEqual([1560, 1770]);
    expect(await sizeOf("sheet_dark.png")).toEqual([1560, 1770]);
  });
});
