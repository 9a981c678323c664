/**
 * `deno doc --lint` over the public entry points, without its complaints about types of nodejs-polars: frames are
 * plain Polars frames, and their types cannot be made public here.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import process from "node:process";

const ENTRY_POINTS = [
  "mod.ts",
  "src/analysis/mod.ts",
  "src/chart/mod.ts",
  "src/sheet/mod.ts",
  "src/server/mod.ts",
  "src/world/mod.ts",
];
const FOREIGN = /references private type '(DataFrame|LazyDataFrame|Series|Expr)'/;

const { stderr, error } = spawnSync(Deno.execPath(), ["doc", "--lint", ...ENTRY_POINTS], {
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
