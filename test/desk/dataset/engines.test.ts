// @heavy: engines in Java and Python
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportDataset } from "../../../src/desk/dataset/mod.ts";
import { PANEL, plainRows, PRICES, RELEASE } from "./_frames.ts";
import { lacksPython, runPython } from "../../helpers/python.ts";

const ENGINES = ["polars", "duckdb", "pyarrow", "pandas"];
const LONG_MS = 900_000;

describe.skipIf(lacksPython(...ENGINES))("a dataset in another engine", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-engines-"));
    for (const frame of [RELEASE, PANEL, PRICES]) await exportDataset(frame, folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(ENGINES)(
    "reads back row for row in %s, from the files that a state names",
    async (engine) => {
      const read = async (table: string, columns: readonly string[]) =>
        (JSON.parse(
          await runPython(
            join(import.meta.dirname!, "read_back.py"),
            ...[engine, folder, table, ...columns],
          ),
        ) as unknown[][]).toSorted(byText);
      const scores = ["date", "ticker", "score", "download_sha256", "source", "retrieved_at"];
      const ours = RELEASE.rename({ ecqdi_score: "score" });
      expect(await read("scores", [...scores, "factor", "year"])).toEqual(
        plainRows(ours, scores)
          .map((row) => [...row, "ecqdi", Number(String(row[0]).slice(0, 4))])
          .toSorted(byText),
      );
      const panel = ["decided_at", "ticker", "score", "snapshot_id", "status"];
      expect(await read("panel", panel)).toEqual(
        plainRows(PANEL.rename({ ecpnd_score: "score", at: "decided_at" }), panel).toSorted(byText),
      );
      expect(await read("prices", ["date", "ticker", "close"])).toEqual(
        plainRows(PRICES, ["date", "ticker", "close"]),
      );
    },
    LONG_MS,
  );

  test.skipIf(lacksPython("pyspark"))(
    "has the rows of each state, however it grew, by the lines of the page of that state",
    async () => {
      const grown = join(folder, "grown");
      for (const rows of [1, 2]) {
        await exportDataset(PRICES.head(rows), grown, { append: true });
      }
      const read = (rows: number) => ({
        ...{ polars: rows, duckdb: rows, pyarrow: rows, pandas: rows, spark: rows },
      });
      const script = join(import.meta.dirname!, "run_page.py");
      expect(JSON.parse(await runPython(script, grown))).toEqual([read(1), read(2)]);
    },
    LONG_MS,
  );

  test("lets an engine skip row groups by the statistics of a column", async () => {
    const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
    const prices = pl.DataFrame([
      pl.Series("date", days, pl.Date),
      pl.Series("ticker", days.map(() => "AAA"), pl.Utf8),
      pl.Series("close", days.map((_, i) => i + 1), pl.Float64),
    ]);
    const path = join(folder, "groups");
    const { partitions } = await exportDataset(prices, path, { rowGroupSize: 10 });
    const script = join(import.meta.dirname!, "row_groups.py");
    const groups = JSON.parse(await runPython(script, join(path, partitions[0]!.path)));
    expect(groups).toEqual([1, 11, 21, 31].map((first) => [first, first + 9]));
  }, LONG_MS);
});

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
