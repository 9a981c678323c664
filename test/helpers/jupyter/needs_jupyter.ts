import process from "node:process";
import { describe, expect, test } from "vitest";
import { findPython, MISSING_JUPYTER } from "./jupyter.ts";

/**
 * Tests that need a real Jupyter. Where it is missing, they fail in continuous integration and are skipped elsewhere,
 * with a line that says so.
 */
export async function describeWithJupyter(name: string, body: () => void): Promise<void> {
  if (await findPython() !== null) return void describe(name, body);
  if (process.env["CI"] !== undefined) {
    return void test(`${name}: Jupyter is there`, () => expect.fail(MISSING_JUPYTER));
  }
  process.stderr.write(`\nSKIPPED, ${name}. ${MISSING_JUPYTER}\n\n`);
  describe.skip(name, body);
}
