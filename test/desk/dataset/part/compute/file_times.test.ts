import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../../../src/desk/dataset/mod.ts";
import { readFileTimes } from "../../../../../src/desk/dataset/part/compute/sample.ts";

const COLUMNS = [pl.col("date")];

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-times-"));
});
afterAll(() => rm(home, { recursive: true }));

async function datasetOf(name: string, dates: readonly string[]) {
  const folder = join(home, name);
  const rows = dates.flatMap((date) => [
    { date, ticker: "AAA", score: 0.5 },
    { date, ticker: "BBB", score: 0.7 },
    { date, ticker: "CCC", score: null },
  ]);
  await exportDataset(pl.DataFrame(rows), folder, { factor: "mine" });
  const dataset = await openDataset(folder);
  return { dataset, file: dataset.partitions.find(({ table }) => table === "scores")! };
}

describe("the times of a file of scores", () => {
  test("are a row with a score and one without for each session", async () => {
    const { dataset, file } = await datasetOf("rows", ["2026-01-05", "2026-01-06"]);
    const times = await readFileTimes(dataset, file, COLUMNS);
    expect(
      times.select(pl.col("date").cast(pl.Utf8), pl.col("score")).sort(["date", "score"]).rows(),
    )
      .toEqual([["2026-01-05", null], ["2026-01-05", 0], ["2026-01-06", null], ["2026-01-06", 0]]);
  });

  test("are read once: the file may be gone when another partition asks", async () => {
    const { dataset, file } = await datasetOf("once", ["2026-02-02"]);
    const first = await readFileTimes(dataset, file, COLUMNS);
    await rm(join(dataset.folder, file.path));
    expect(await readFileTimes(dataset, file, COLUMNS)).toBe(first);
  });

  test("are read again where the state of the dataset has other bytes, which are compared", async () => {
    const { dataset, file } = await datasetOf("again", ["2026-03-02"]);
    await readFileTimes(dataset, file, COLUMNS);
    const other = { ...file, sha256: "0".repeat(64) };
    await writeFile(join(dataset.folder, file.path), "damaged");
    await expect(readFileTimes(dataset, other, COLUMNS)).rejects.toThrow(
      `Cannot read ${join(dataset.folder, file.path)}: expected ${file.bytes} bytes`,
    );
  });
});
