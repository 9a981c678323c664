// @heavy: many kills
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../../src/desk/dataset/mod.ts";
import { dailySets, hourlySets } from "../_hourly_sets.ts";

const JOB = join(import.meta.dirname!, "../_growing_job.ts");
const DAYS = 60;
const KILLS = 20;
const LONG_MS = 900_000;

/** Runs the job and kills it some milliseconds after it finished a number of increments. */
function run(
  folder: string,
  kill: { readonly after: number; readonly ms: number } | null,
  days = DAYS,
) {
  const job = spawn(process.execPath, ["run", "-A", JOB, folder, String(days)]);
  let lines = 0;
  job.stdout.on("data", (data: Uint8Array) => {
    lines += String(data).split("\n").length - 1;
    if (kill !== null && lines >= kill.after) setTimeout(() => job.kill("SIGKILL"), kill.ms);
  });
  return new Promise<number | null>((resolve) => job.on("exit", resolve));
}

async function yearsOf(folder: string): Promise<readonly (number | null)[]> {
  const { partitions } = await openDataset(folder);
  return partitions.filter(({ table }) => table === "sets").map(({ year }) => year);
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
  "five years that grew by sixty days of hourly sets, killed twenty times, have the bytes of those written at once",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "scoreframe-growth-"));
    try {
      const [grown, whole] = [join(home, "grown"), join(home, "whole")];
      await exportDataset(dailySets(), grown, { factor: "ecpnd" });
      let killed = 0;
      // On a busy machine, a job may end before its signal arrives.
      for (let i = 0; killed < KILLS && i < 2 * KILLS; i++) {
        if (await run(grown, { after: 1 + 2 * killed, ms: 7 * i % 60 }) === null) killed++;
      }
      expect(killed).toBe(KILLS);
      expect(await run(grown, null)).toBe(0);
      const all = pl.concat([dailySets(), hourlySets(0, 24 * DAYS)]);
      await exportDataset(all, whole, { factor: "ecpnd" });
      expect(await yearsOf(whole)).toEqual([2020, 2021, 2022, 2023, 2024, 2025, 2026]);
      expect(await contentOf(grown)).toEqual(await contentOf(whole));
    } finally {
      await rm(home, { recursive: true });
    }
  },
  LONG_MS,
);

test(
  "three processes that grow one dataset at once lose nothing that one of them reported as stored",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "scoreframe-growth-"));
    try {
      const [grown, whole] = [join(home, "grown"), join(home, "whole")];
      const codes = await Promise.all([0, 1, 2].map(() => run(grown, null, 8)));
      expect(codes).not.toContain(null);
      // A job may be refused; another run would hide what one that ended well had lost.
      if (!codes.includes(0)) expect(await run(grown, null, 8)).toBe(0);
      await exportDataset(hourlySets(0, 24 * 8), whole, { factor: "ecpnd" });
      expect(await contentOf(grown)).toEqual(await contentOf(whole));
    } finally {
      await rm(home, { recursive: true });
    }
  },
  LONG_MS,
);
