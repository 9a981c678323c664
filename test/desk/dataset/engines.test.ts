// @heavy: engines in Java and Python
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanDataset, exportDataset } from "../../../src/desk/dataset/mod.ts";
import { PANEL, plainRows, PRICES, RELEASE } from "./_frames.ts";
import { lacksPython, runPython } from "../../helpers/python.ts";

const ENGINES = ["polars", "duckdb", "pandas"];
const LONG_MS = 900_000;

describe.skipIf(lacksPython("deltalake", ...ENGINES))("a dataset in another engine", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-engines-"));
    for (const frame of [RELEASE, PANEL, PRICES]) await exportDataset(frame, folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(ENGINES)(
    "reads back row for row in %s, by the path of a table",
    async (engine) => {
      const read = async (table: string, columns: readonly string[]) =>
        (await readBack(engine, join(folder, table), { versions: [0], columns }))[0]!;
      const scores = ["date", "ticker", "score", "download_sha256", "source", "retrieved_at"];
      const ours = RELEASE.rename({ ecqdi_score: "score" });
      expect(await read("scores", [...scores, "factor"])).toEqual(
        plainRows(ours, scores).map((row) => [...row, "ecqdi"]).toSorted(byText),
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

  test.for([...ENGINES, "spark"])(
    "has the rows of each version in %s, corrected or compacted",
    { timeout: LONG_MS },
    async (engine, { skip }) => {
      const grown = join(folder, `grown-${engine}`);
      const day = (i: number) => pl.lit(new Date(Date.UTC(2026, 0, 1 + i))).cast(pl.Date);
      const one = PRICES.head(1).withColumns(day(0).alias("date"));
      for (let i = 0; i <= 30; i++) {
        await exportDataset(one.withColumns(day(i).alias("date")), grown, { append: true });
      }
      const corrected = one.withColumns(pl.lit(7).cast(pl.Float64).alias("close"));
      await exportDataset(corrected, grown, { correct: true });
      await cleanDataset(grown, { dryRun: false });
      const [versions, firsts, counts] = [[4, 30, 31, 32], [100.1, 100.1, 7, 7], [5, 31, 31, 31]];
      const read = await readBack(engine, join(grown, "prices"), {
        ...{ versions, columns: ["date", "close"] },
      }).catch((error: Error) => {
        if (!/unresolved dependency|download failed/i.test(error.message)) throw error;
        process.stderr.write("Skipped: Maven, which has Delta for Spark, cannot be reached\n");
        return skip("Maven cannot be reached");
      });
      // As it grows, corrected, and compacted.
      expect(read.map((rows) => rows[0]![1])).toEqual(firsts);
      expect(read.map((rows) => rows.length)).toEqual(counts);
    },
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

/** The sorted rows of versions of a table, read by an engine. */
async function readBack(
  engine: string,
  table: string,
  { versions, columns }: {
    readonly versions: readonly number[];
    readonly columns: readonly string[];
  },
): Promise<readonly (readonly unknown[][])[]> {
  const script = join(import.meta.dirname!, "read_back.py");
  const text = await runPython(script, engine, table, versions.join(","), ...columns);
  return (JSON.parse(text) as unknown[][][]).map((rows) => rows.toSorted(byText));
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
