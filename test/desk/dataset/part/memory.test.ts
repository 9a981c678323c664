// @heavy: memory at a multiple of the data
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const LONG_MS = 1_200_000;
const PROGRAM = join(import.meta.dirname!, "_limited_job.ts");
const YEARS = "1971-2018";
// As Polars has them: a text takes 16 bytes, a number and an instant 8, a date 4. Scores have six texts, prices one.
const SCORES_ROW_BYTES = 4 + 6 * 16 + 8 + 8;
const PRICES_ROW_BYTES = 4 + 16 + 2 * 8;

let home: string;
let folder: string;
let limit: number;
let mergeLimit: number;

interface Ended {
  readonly code: number | null;
  readonly said: string;
  readonly errors: string;
}

/** Runs a job in a process of its own, which the system gives no more than so many bytes that can be written. */
function run(args: readonly string[], bytes: number | null = null): Promise<Ended> {
  const ulimit = bytes === null ? "" : `ulimit -d ${Math.floor(bytes / 1024)} && `;
  // On a busy machine the collector's own threads come late, and what is dead counts meanwhile.
  const flags = ["run", "-A", "--v8-flags=--single-threaded-gc"];
  const words = [Deno.execPath(), ...flags, PROGRAM, ...args].map((word) => `'${word}'`);
  const child = spawn("bash", ["-c", `${ulimit}exec ${words.join(" ")}`], {
    // As many threads and pools of memory on any machine.
    env: { ...process.env, POLARS_MAX_THREADS: "2", MALLOC_ARENA_MAX: "2" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { said: "", errors: "" };
  child.stdout.on("data", (piece) => texts.said += String(piece));
  child.stderr.on("data", (piece) => texts.errors += String(piece));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...texts }));
  });
}

async function saidBy(...args: readonly string[]): Promise<unknown> {
  const { code, said, errors } = await run(args);
  expect(code, errors).toBe(0);
  return JSON.parse(said);
}

/** What V8, Polars and the library take, whatever they analyse: no part of a budget. */
async function baseBytes(): Promise<number> {
  const small = join(home, "small");
  await saidBy("write", small, "2019-2020", "5");
  const counted: number[] = [];
  // It differs by some tens of megabytes from run to run.
  for (let i = 0; i < 3; i++) {
    counted.push(...await saidBy("partitions", small, "2019-2020", "5") as readonly number[]);
  }
  return Math.max(...counted);
}

// Only Linux counts memory that is mapped towards the limit of data.
describe.runIf(process.platform === "linux")("a dataset of four times the memory", () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "scoreframe-memory-"));
    folder = join(home, "dataset");
    const [rows, base] = await Promise.all([saidBy("write", folder, YEARS, "1000"), baseBytes()]);
    const budget = Number(rows) * (SCORES_ROW_BYTES + PRICES_ROW_BYTES) / 4;
    limit = base + budget;
    // Scores, closes and weights of all sessions at once, for the accounts: half of the dataset.
    mergeLimit = base + 2 * budget;
  }, LONG_MS);
  afterAll(() => rm(home, { recursive: true }));

  test.concurrent(
    "is analysed in one process, partition by partition, and merged in half of it",
    async () => {
      const parts = await run(["partitions", folder, YEARS, "1000"], limit);
      expect(parts.code, parts.errors).toBe(0);
      const merged = await run(["merge", folder, YEARS, "1000"], mergeLimit);
      expect(merged.code, merged.errors).toBe(0);
    },
    LONG_MS,
  );

  test.concurrent(
    "is too much for an analysis in memory, which one year of it is not",
    async () => {
      const year = await run(["memory", folder, "1971", "1000"], limit);
      expect(year.code, year.errors).toBe(0);
      const all = await run(["memory", folder, YEARS, "1000"], mergeLimit);
      expect(all.code).not.toBe(0);
      expect(all.errors).toMatch(/out of memory|memory allocation of \d+ bytes failed/i);
    },
    LONG_MS,
  );
});
