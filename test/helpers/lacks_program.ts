import { spawnSync } from "node:child_process";
import process from "node:process";

/** Leaves a test out with a line that says so; where everything is tested it fails. */
export function lacksProgram(program: string, what: string): boolean {
  if (process.env["CI"] !== undefined || spawnSync(program, ["-h"]).error === undefined) {
    return false;
  }
  process.stderr.write(`SKIPPED: ${what} needs ${program}: apt-get install it\n`);
  return true;
}
