/**
 * Builds a world and prints what it takes: `deno task bench world [full|small]`.
 *
 * @module
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { readFileSync } from "node:fs";
import { buildWorld } from "../src/server/world/mod.ts";

const size = (process.argv[2] ?? "full") as "small" | "full";
const folder = await mkdtemp(join(tmpdir(), "scoreframe-bench-"));

try {
  const start = performance.now();
  const world = await buildWorld(folder, { size });
  const builtMs = performance.now() - start;
  const reuse = performance.now();
  await buildWorld(folder, { size });
  const reusedMs = performance.now() - reuse;
  const extend = performance.now();
  const added = await world.extend("2026-11-21T15:00:00Z");
  const extendedMs = performance.now() - extend;

  print(`world "${size}"`);
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    const [stored] = await world.store.listReleases(factor);
    const checks = await world.store.listChecks(factor);
    const sets = await world.store.listSets(factor);
    print(
      `  ${factor}: ${stored?.release.rows} release rows, ${stored?.sizeBytes} bytes; ` +
        `${checks.length} checks, ${sets.length} sets`,
    );
  }
  const closes = await stat(join(folder, "closes.csv"));
  print(`  closes.csv: ${closes.size} bytes`);
  print(`  built in ${(builtMs / 1000).toFixed(2)} s, reused in ${reusedMs.toFixed(0)} ms`);
  print(`  extended by ${added} checks in ${extendedMs.toFixed(0)} ms`);
  await compareLayouts();
  print(`  peak resident memory ${peakMegabytes()} MB`);
} finally {
  await rm(folder, { recursive: true });
}

// The same hours of 60 tickers, as a file each and in archives: what one more hour decides.
async function compareLayouts(): Promise<void> {
  const rounds = [1_000, 1_001, 1_001, 1_000];
  const spent = { files: 0, archives: 0 };
  for (const [i, hours] of rounds.entries()) {
    const start = performance.now();
    await buildWorld(join(folder, `layout-${i}`), { hours, years: 0.25 });
    spent[hours === 1_000 ? "files" : "archives"] += performance.now() - start;
  }
  const ratio = (spent.files / spent.archives).toFixed(1);
  print(`  1,000 hours of 60 tickers: files take ${ratio} times as long as archives`);
}

function peakMegabytes(): string {
  const status = readFileSync("/proc/self/status", "utf8");
  const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  return peak === undefined ? "unknown" : (Number(peak) / 1024).toFixed(0);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
