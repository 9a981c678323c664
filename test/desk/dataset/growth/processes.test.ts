// @heavy: many kills
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { cleanDataset, exportDataset, openDataset } from "../../../../src/desk/dataset/mod.ts";
import { look, rowsOf } from "../_look.ts";
import { lacksPython, runPython } from "../../../helpers/python.ts";
import { dailySets, hourlySets } from "../_hourly_sets.ts";

const JOB = join(import.meta.dirname!, "../_growing_job.ts");
const DAYS = 60;
const KILLS = 20;
const MANY_KILLS = 50;
const LONG_MS = 900_000;

/** Runs the job from a day on, and kills it some milliseconds after it finished a number of increments. */
function run(
  folder: string,
  kill: { readonly after: number; readonly ms: number } | null,
  days: readonly number[] = Array.from({ length: DAYS }, (_, day) => day),
) {
  const job = spawn(process.execPath, ["run", "-A", JOB, folder, ...days.map(String)]);
  let lines = 0;
  job.stdout.on("data", (data: Uint8Array) => {
    lines += String(data).split("\n").length - 1;
    if (kill !== null && lines >= kill.after) setTimeout(() => job.kill("SIGKILL"), kill.ms);
  });
  return new Promise<number | null>((resolve) => job.on("exit", resolve));
}

async function yearsOf(folder: string): Promise<readonly (number | null)[]> {
  const { partitions } = await openDataset(folder);
  return [...new Set(partitions.filter(({ table }) => table === "sets").map(({ year }) => year))];
}

test(
  "five years that grew by sixty days of hourly sets, killed twenty times, have the rows of those written at once",
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
      expect(await rowsOf(grown)).toEqual(await rowsOf(whole));
    } finally {
      await rm(home, { recursive: true });
    }
  },
  LONG_MS,
);

test.skipIf(lacksPython("deltalake", "polars", "duckdb", "pandas"))(
  "three thousand looks while two processes grow a dataset, a third cleans it, and fifty are killed, agree with every version in every engine",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-growth-"));
    const codes: (number | null)[] = [];
    let isGrowing = true;
    const grow = async (parity: number) => {
      const days = Array.from({ length: DAYS / 2 }, (_, i) => 2 * i + parity);
      for (let i = 0; i <= MANY_KILLS / 2; i++) {
        const kill = i === MANY_KILLS / 2 ? null : { after: 1 + i, ms: 23 * i % 60 };
        codes.push(await run(folder, kill, days));
      }
    };
    try {
      await exportDataset(hourlySets(0, 24), folder, { factor: "ecpnd", append: true });
      const growing = Promise.all([grow(0), grow(1)]).finally(() => isGrowing = false);
      const seen = new Map<number, number>();
      for (let looks = 0; isGrowing || looks < 3_000; looks++) {
        const { version, partitions } = await openDataset(folder);
        if (!seen.has(version)) {
          for (const one of (await look(folder)).partitions) expect(one.rows).toBeGreaterThan(0);
        }
        const rows = (name: string) =>
          partitions.reduce((sum, { table, rows }) => table === name ? sum + rows : sum, 0);
        expect(rows("sets")).toBe(3 * rows("publications"));
        seen.set(version, rows("sets"));
        if (looks % 200 === 0) await cleanDataset(folder, { dryRun: false, graceMs: 60_000 });
      }
      await growing;
      // Fifty were killed; the others ended well.
      expect(codes.filter((code) => code !== null)).toEqual([0, 0]);
      const whole = join(folder, "whole");
      await exportDataset(hourlySets(0, 24 * DAYS), whole, { factor: "ecpnd" });
      const all = await rowsOf(folder);
      expect(all).toEqual(await rowsOf(whole));
      const script = join(import.meta.dirname!, "../read_versions.py");
      const read = JSON.parse(await runPython(script, join(folder, "sets"), "score"));
      const counts = new Set(seen.values());
      for (const [version, rows, distinct, total] of read) {
        expect([version, distinct, rows % 72]).toEqual([version, rows, 0]);
        expect(total).toBeGreaterThan(0);
        counts.delete(rows);
      }
      // Each number of rows that this library saw is that of a version in the others.
      expect([...counts]).toEqual([]);
      expect(read.at(-1)[1]).toBe((all["sets"] as []).length);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  LONG_MS,
);
