import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import {
  parseSyntax,
  sourceFiles,
  type SyntaxNode,
  visitSyntax,
} from "../../helpers/source_files.ts";

// Polars takes a path for a pattern unless it is told otherwise, and these of its readers cannot be told.
const READERS = ["scanParquet", "scanCSV", "scanIPC", "scanJson"];
const WITHOUT_GLOB = ["readParquet", "readCSV", "readIPC", "readJSON", "readAvro"];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-paths-[1]*-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("no reader of src takes a path for a pattern", () => {
  test("because each says glob: false, and none is used that cannot", async () => {
    const wrong: string[] = [];
    for (const { path, text } of await sourceFiles()) {
      visitSyntax(parseSyntax(text), (node) => {
        if (node.type !== "CallExpression") return;
        const { name = "" } = ((node["callee"] as SyntaxNode)["property"] ?? {}) as {
          name?: string;
        };
        const call = text.slice(node.start, node.end);
        const isTold = /glob: false/.test(call) || /, csv\b/.test(call);
        const isOfBytes = /\(bytes[,)]/.test(call);
        if ((WITHOUT_GLOB.includes(name) && !isOfBytes) || (READERS.includes(name) && !isTold)) {
          wrong.push(`${path}: ${call.slice(0, 80)}`);
        }
      });
    }
    expect(wrong).toEqual([]);
  });

  test("so a dataset in a folder named like a pattern is read from that folder", async () => {
    const prices = pl.DataFrame([
      pl.Series("date", [new Date("2026-11-19"), new Date("2026-11-20")], pl.Date),
      pl.Series("ticker", ["A", "A"], pl.Utf8),
      pl.Series("close", [1, 2], pl.Float64),
    ]);
    const path = join(folder, "data[1]?");
    await exportDataset(prices, path);
    const dataset = await openDataset(path);
    const [partition] = dataset.partitions.filter(({ table }) => table === "prices");
    expect((await dataset.read(partition!)).getColumn("close").toArray()).toEqual([1, 2]);
  });

  test("nor Polars, where it is told: a pattern that matches other files reads none of them", async () => {
    await writeFile(join(folder, "a1.csv"), "x\n1\n");
    const options = { inferSchemaLength: 0, glob: false } as Parameters<typeof pl.scanCSV>[1];
    await expect(
      Promise.resolve().then(() => pl.scanCSV(join(folder, "a*.csv"), options).collect()),
    )
      .rejects.toThrow();
  });
});
