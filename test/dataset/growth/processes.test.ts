import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { exportDataset } from "../../../src/dataset/mod.ts";
import { hourlySets } from "../_hourly_sets.ts";

const JOB = join(import.meta.dirname!, "../_growing_job.ts");
const DAYS = 60;
const KILLS = 20;
const LONG_MS = 900_000;

/** Runs the job and kills it some milliseconds after it finished a number of increments. */
function run(folder: string, kill: { readonly after: number; readonly ms: number } | null) {
  const job = spawn(process.execPath, ["run", "-A", JOB, folder, String(DAYS)]);
  let lines = 0;
  job.stdout.on("data", (data: Uint8Array) => {
    lines += String(data).split("\n").length - 1;
    if (kill !== null && lines >= kill.after) setTimeout(() => job.kill("SIGKILL"), kill.ms);
  });
  return new Promise<number | null>((resolve) => job.on("exit", resolve));
}

async function contentOf(folder: string): Promise<readonly (readonly [string, string])[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".tmp-"));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return await Promise.all(
    paths.map(async (path) =>
      [path.slice(folder.length), (await readFile(path)).toString("base64")] as const
    ),
  );
}

test(
  "a dataset that grew by sixty days, killed twenty times, has the bytes of one written at once",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "scoreframe-growth-"));
    try {
      const [grown, whole] = [join(home, "grown"), join(home, "whole")];
      let killed = 0;
      for (let i = 0; i < KILLS; i++) {
        if (await run(grown, { after: 1 + 2 * i, ms: 7 * i % 60 }) === null) killed++;
      }
      expect(killed).toBeGreaterThan(15);
      expect(await run(grown, null)).toBe(0);
      await exportDataset(hourlySets(0, 24 * DAYS), whole, { factor: "ecpnd" });
      expect(await contentOf(grown)).toEqual(await contentOf(whole));
    } finally {
      await rm(home, { recursive: true });
    }
  },
  LONG_MS,
);
