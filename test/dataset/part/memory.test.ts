import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const LONG_MS = 600_000;
const PROGRAM = join(import.meta.dirname!, "_peak_memory.ts");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-memory-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** By how many megabytes a job raised the peak of resident memory of a process of its own. */
async function peakOf(...args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(Deno.execPath(), ["run", "-A", PROGRAM, ...args]);
  return Number(stdout.trim().split("\n").at(-1)) / (1 << 20);
}

// Limits of the system count what V8 reserves and never touches, so that the memory is measured and not limited.
test(
  "a partition takes a part of the memory that ten of them take at once, whichever it is",
  async () => {
    await peakOf("write", folder, "2016-2025");
    const whole = await peakOf("memory", folder, "2016-2025");
    for (const year of ["2016", "2020", "2025"]) {
      expect(await peakOf("partitions", folder, year), year).toBeLessThan(whole / 2);
    }
  },
  LONG_MS,
);
