/**
 * `deno doc --lint` over the public entry points, without its complaints about types of nodejs-polars, which cannot be
 * made public here, and about tables of columns.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";

const { exports } = JSON.parse(
  await readFile(join(import.meta.dirname!, "..", "deno.json"), "utf8"),
) as { exports: Readonly<Record<string, string>> };
// A program is run, and exports nothing.
const ENTRY_POINTS = Object.entries(exports).filter(([name]) => name !== "./cli")
  .map(([, path]) => path);
const POLARS = "DataFrame|LazyDataFrame|Series|Expr|GroupBy|DataType|CrossJoinOptions|pl(\\.\\w+)?";
// A table of columns (a constant, in capitals) is printed whole wherever its type is, so that a reader needs no name.
const FOREIGN = new RegExp(`references private type '(${POLARS}|[A-Z_]+)'`);

const { stderr, error } = spawnSync(Deno.execPath(), ["doc", "--lint", ...ENTRY_POINTS], {
  cwd: join(import.meta.dirname!, ".."),
  encoding: "utf8",
  env: { ...process.env, NO_COLOR: "1" },
});
if (error !== undefined) throw error;

const complaints = stderr.split(/^(?=error)/m).filter((block) => /^error\[/.test(block));
const own = complaints.filter((block) => !FOREIGN.test(block));
process.stdout.write(own.join("\n"));
process.stdout.write(`Documentation: ${own.length} complaints\n`);
// A failure of another kind, a syntax error for instance, has no complaints and must not pass.
const isOther = complaints.length === 0 && /error/i.test(stderr);
if (isOther) process.stdout.write(stderr);
process.exitCode = own.length === 0 && !isOther ? 0 : 1;
