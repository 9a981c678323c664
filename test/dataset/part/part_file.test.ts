import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PartFacts } from "../../../src/dataset/part/part_facts.ts";
import { readPart, writePart } from "../../../src/dataset/part/part_file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-part-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("writePart() removes what jobs that were killed left behind, and nothing that is being written", async () => {
  const [left, written] = [".tmp-left", ".tmp-written"];
  for (const name of [left, written]) await writeFile(join(folder, name), "");
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(folder, left), longAgo, longAgo);
  const path = join(folder, "year=2024.parquet");
  const ic = pl.DataFrame({ date: ["2024-01-02"], ic: [0.5] });
  await writePart(path, {
    facts: { format: 1 } as unknown as PartFacts,
    tables: new Map([["ic", ic]]),
  });
  expect((await readdir(folder)).toSorted()).toEqual([written, "year=2024.parquet"]);
  expect((await readPart(path)).tables.get("ic")!.toRecords()).toEqual([{
    date: "2024-01-02",
    ic: 0.5,
  }]);
});
