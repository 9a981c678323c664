import { execFileSync } from "node:child_process";
import process from "node:process";
import { describe, expect, test } from "vitest";

const PROGRAMS = ["pdftotext", "pdffonts", "pdfimages", "pdfinfo", "pdftoppm"];
const MISSING = "Poppler is required: apt-get install poppler-utils";

/**
 * Tests that read a PDF by Poppler. Where it is missing, they fail in continuous integration and are skipped elsewhere, with a line
 * that says so.
 */
export function describeWithPoppler(name: string, body: () => void): void {
  if (PROGRAMS.every(isThere)) return void describe(name, body);
  if (process.env["CI"] !== undefined) {
    return void test(`${name}: Poppler is there`, () => expect.fail(MISSING));
  }
  process.stderr.write(`\nSKIPPED, ${name}. ${MISSING}\n\n`);
  describe.skip(name, body);
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
