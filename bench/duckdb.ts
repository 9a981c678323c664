/**
 * Exports a release and reads it with DuckDB, which knows nothing of this library: `deno task bench duckdb`.
 *
 * DuckDB (70 MB) is no dependency: it is fetched for this run alone, past lock file and node_modules.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const script = join(import.meta.dirname!, "_duckdb_case.ts");
const flags = ["run", "-A", "--no-lock", "--node-modules-dir=none", "--quiet"];
const { status } = spawnSync(Deno.execPath(), [...flags, script], { stdio: "inherit" });
process.exitCode = status ?? 1;
