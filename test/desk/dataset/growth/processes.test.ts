// @heavy: many kills
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../../src/desk/dataset/mod.ts";
import { look } from "../_look.ts";
import { dailySets, hourlySets } from "../_hourly_sets.ts";

const JOB = join(import.meta.dirname!, "../_growing_job.ts");
const DAYS = 60;
const KILLS = 20;
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
  return partitions.filter(({ table }) => table === "sets").map(({ year }) => year);
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
      expect((await look(grown)).partitions).toEqual((await look(whole)).partitions);
    } finally {
      await rm(home, { recursive: true });
    }
  },
  LONG_MS,
);

test(
  "ten thousand looks while two processes grow a dataset and are killed twenty times agree with their state",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-growth-"));
    const codes: (number | null)[] = [];
    let isGrowing = true;
    const grow = async (parity: number) => {
      const days = Array.from({ length: DAYS / 2 }, (_, i) => 2 * i + parity);
      for (let i = 0; i <= KILLS / 2; i++) {
        const kill = i === KILLS / 2 ? null : { after: 1 + i, ms: 23 * i % 60 };
        codes.push(await run(folder, kill, days));
      }
    };
    try {
      await exportDataset(hourlySets(0, 24), folder, { factor: "ecpnd", append: true });
      const growing = Promise.all([grow(0), grow(1)]).finally(() => isGrowing = false);
      let newest = 0;
      for (let looks = 0; isGrowing || looks < 10_000; looks++) {
        const { state, partitions } = await look(folder);
        expect(state).toBeGreaterThanOrEqual(newest);
        newest = state;
        const rows = (name: string) =>
          partitions.reduce((sum, { table, rows }) => table === name ? sum + rows : sum, 0);
        expect(rows("sets")).toBe(3 * rows("publications"));
      }
      await growing;
      // Twenty were killed; the others ended well.
      expect(codes.filter((code) => code !== null)).toEqual([0, 0]);
      const whole = join(folder, "whole");
      await exportDataset(hourlySets(0, 24 * DAYS), whole, { factor: "ecpnd" });
      expect((await look(folder)).partitions).toEqual((await look(whole)).partitions);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  LONG_MS,
);
