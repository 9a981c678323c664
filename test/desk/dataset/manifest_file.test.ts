import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pathOf } from "../../../src/desk/dataset/manifest.ts";
import { publishPartition, readManifest } from "../../../src/desk/dataset/manifest_file.ts";
import { exportDataset } from "../../../src/desk/dataset/mod.ts";
import { RELEASE } from "./_frames.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-manifest-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("publishPartition() refuses a year of a release beside another one that a job published meanwhile", async () => {
  // This job looked before the other one had published anything.
  const { partitions } = await exportDataset(RELEASE, folder);
  const finished = join(folder, ".tmp-finished");
  await writeFile(finished, "rows");
  const year = { ...partitions[0]!, year: 2023 };
  const published = (releases: readonly string[]) =>
    publishPartition(folder, { ...year, path: pathOf(year), releases }, {
      temporary: finished,
      replaces: null,
      isAppended: false,
    });
  await expect(published(["another"])).rejects.toThrow(
    "Cannot export a dataset: expected the release of ecqdi that " +
      "scores/factor=ecqdi/year=2024/part-0.parquet has (abc…), got another…",
  );
  expect(await readManifest(folder)).toEqual(partitions);
  expect(await readdir(join(folder, "scores/factor=ecqdi"))).not.toContain("year=2023");
  expect(await published(["abc"])).toBe(true);
});
