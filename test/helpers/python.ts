import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ROOT } from "./source_files.ts";

/** The Python of the virtual environment with the other engines. */
export const PYTHON = join(ROOT, ".scoreframe/venv/bin/python");

/**
 * Whether tests with these Python packages are to be left out: where everything is tested they have to be there;
 * elsewhere it is said that something was left out.
 */
export function lacksPython(...packages: readonly string[]): boolean {
  if (process.env["CI"] !== undefined || hasPackages(packages)) return false;
  process.stderr.write(
    `SKIPPED: a test with ${packages.join(", ")} needs them in ${PYTHON}; make it by ` +
      "python3 -m venv .scoreframe/venv && .scoreframe/venv/bin/pip install -r .ci/requirements.txt\n",
  );
  return true;
}

/** Runs a script with arguments, and gives what it printed. */
export async function runPython(script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(PYTHON, [script, ...args], { maxBuffer: 1 << 28 });
  return stdout;
}

function hasPackages(packages: readonly string[]): boolean {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, ["-c", packages.map((name) => `import ${name}`).join("\n")], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
