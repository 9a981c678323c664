/**
 * Writes a committed file that is made from others: `deno task generate NAME [options]`. A test or `deno task check` fails when
 * one of them is out of date.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const PROGRAMS: Readonly<Record<string, string>> = {
  face: "public_api.ts",
  help: "generate_help.ts",
  lock: "write_library_lock.ts",
  openapi: "write_openapi.ts",
  outputs: "write_outputs.ts",
  pictures: "write_pictures.ts",
  reach: "write_reach.ts",
  rules: "write_rules.ts",
  sbom: "write_sbom.ts",
  study: "record_study.ts",
};

const [name = "", ...options] = process.argv.slice(2);
const program = PROGRAMS[name];
if (program === undefined) {
  const names = Object.keys(PROGRAMS).join(", ");
  process.stderr.write(`Cannot generate: expected one of ${names}, got "${name}"\n`);
  process.exitCode = 1;
} else {
  const args = ["run", "-A", join(import.meta.dirname!, program), ...options];
  process.exitCode = spawnSync(Deno.execPath(), args, { stdio: "inherit" }).status ?? 1;
}
