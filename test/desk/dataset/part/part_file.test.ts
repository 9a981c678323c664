import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { IntegrityError } from "../../../../src/base/errors.ts";
import type { PartFacts } from "../../../../src/desk/dataset/part/part_facts.ts";
import { readPart, writePart } from "../../../../src/desk/dataset/part/part_file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-part-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = async () => {
  const path = join(folder, "year=2024.parquet");
  const ic = pl.DataFrame({ date: ["2024-01-02"], ic: [0.5] });
  const facts = { format: 1 } as unknown as PartFacts;
  await writePart(path, { facts, tables: new Map([["ic", ic]]) });
  return path;
};

test("a part with any single bit changed is refused before Polars sees it: some bits end the process", async () => {
  const path = await write();
  const bytes = await readFile(path);
  const read = vi.spyOn(pl, "readParquet");
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const at = bit >> 3;
    await writeFile(path, bytes.with(at, bytes[at]! ^ (1 << (bit & 7))));
    await expect(readPart(path)).rejects.toThrow(IntegrityError);
  }
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

test("a part is a Parquet file for every other reader", async () => {
  const rows = pl.readParquet(await readFile(await write()));
  expect(rows.select("table", "date", "ic").rows()).toEqual([
    ["facts", null, null],
    ["ic", "2024-01-02", 0.5],
  ]);
});

test("writePart() removes what jobs that were killed left behind, and nothing that is being written", async () => {
  const [left, written] = [".tmp-left", ".tmp-written"];
  for (const name of [left, written]) await writeFile(join(folder, name), "");
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(folder, left), longAgo, longAgo);
  const path = await write();
  expect((await readdir(folder)).toSorted()).toEqual([written, "year=2024.parquet"]);
  expect((await readPart(path)).tables.get("ic")!.toRecords()).toEqual([{
    date: "2024-01-02",
    ic: 0.5,
  }]);
});
