/**
 * What `bench/duckdb.ts` runs, without lock file and node_modules.
 *
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { demo, exportRelease } from "../mod.ts";

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRowsJson(): unknown[][] }>;
}

// The last version of which every platform's package is in the registry, as Deno requires.
const DUCKDB: string = "npm:@duckdb/node-api@1.5.5-r.5";

const folder = await mkdtemp(join(tmpdir(), "scoreframe-duckdb-"));
const api = await demo();
try {
  const { files } = await exportRelease(await api.history("ecpnd"), folder);
  print(`exported ${files.length} files`);
  const { DuckDBInstance } = await import(DUCKDB);
  const connection: Connection = await (await DuckDBInstance.create(":memory:")).connect();
  const dataset = `read_parquet('${folder}/**/*.parquet', hive_partitioning = true)`;
  const query = `SELECT year, count(*) AS rows, count(ecpnd_score) AS scored,
    any_value(download_sha256)[:12] AS release FROM ${dataset} WHERE year = 2026 GROUP BY year`;
  const answer = await connection.runAndReadAll(query);
  for (const row of answer.getRowsJson()) print(row.join("  "));
  const plan = await connection.runAndReadAll(`EXPLAIN ANALYZE ${query}`);
  const text = plan.getRowsJson().flat().join("\n");
  print(/Scanning Files: \d+\/\d+/.exec(text)?.[0] ?? text);
} finally {
  await api.close();
  await rm(folder, { recursive: true });
}
// DuckDB keeps its threads.
process.exit(0);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
