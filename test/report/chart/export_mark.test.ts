import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { noteCall, openStudies, readExportMark } from "../../../src/base/runtime/export_mark.ts";
import { openTemporaryFolder } from "../../../src/base/disk/temporary_folder.ts";
import { saveFile } from "../../../src/report/chart/save_file.ts";
import { plot } from "../../../src/report/chart/mod.ts";
import pl from "nodejs-polars";

const FRAME = pl.DataFrame({ x: [1, 2, 3], y: [3, 1, 2] });

afterEach(() => openStudies.clear());

test.each(["html", "svg", "png", "pdf", "json"])(
  "a saved .%s names the open study and its seal",
  async (ending) => {
    using place = await openTemporaryFolder("marked");
    const path = join(place.path, `chart.${ending}`);
    openStudies.set("/research/momentum", () => ({ name: 'mo-->"mentum', seal: "ab12" }));
    noteCall("plot", { x: "x", limit: 3 });
    await plot(FRAME, { x: "x", y: "y" }).save(path);
    const mark = readExportMark(await readFile(path, "latin1"));
    expect(mark?.studies).toEqual([{ name: 'mo-->"mentum', seal: "ab12" }]);
    expect(mark?.calls.plot).toContainEqual({ x: "x", limit: 3 });
  },
);

test("a mark stays within the part of a file that is read, whatever the options", async () => {
  using place = await openTemporaryFolder("marked");
  const path = join(place.path, "page.html");
  openStudies.set("/research/momentum", () => ({ name: "momentum", seal: "ab12" }));
  noteCall("listed", { tickers: Array.from({ length: 5_000 }, (_, i) => `T${i}`), minNames: 5 });
  for (let seed = 0; seed < 5_000; seed++) noteCall(`variant${seed % 40}`, { seed });
  noteCall("last", { seed: 1 });
  await saveFile("save a page", path, "<html><head></head></html>");
  const mark = readExportMark((await readFile(path, "latin1")).slice(0, 65_536));
  expect(mark?.calls.listed).toEqual([{ minNames: 5 }]);
  expect(mark?.calls.last).toEqual([{}]);
});

test("without a study nothing is added", async () => {
  using place = await openTemporaryFolder("marked");
  const path = join(place.path, "page.html");
  await saveFile("save a page", path, "<html><head></head></html>");
  expect(await readFile(path, "utf8")).toBe("<html><head></head></html>");
});

test("a mark that was damaged is none", () => {
  expect(readExportMark("scoreframe-study:%7B%22studies%22%3A%5B1%5D%7D")).toBeNull();
  expect(readExportMark("scoreframe-study:%7")).toBeNull();
});
