/** Analyses partitions of a dataset one after the other, and prints a line of JSON for each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { analyzePartition, openDataset } from "../src/desk/dataset/mod.ts";

const [folder, parts, ...jobs] = process.argv.slice(2) as [string, string, ...string[]];
const start = performance.now();
const dataset = await openDataset(folder);
for (const job of jobs) {
  const [factor, partition] = job.split("/") as [string, string];
  await analyzePartition(dataset, {
    factor,
    partition,
    out: join(parts, factor, `${partition}.parquet`),
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage();
  const cpuSeconds = (user + system) / 1e6;
  const done = { factor, partition, seconds, cpuSeconds, peakMb: peakMb() };
  process.stdout.write(`${JSON.stringify(done)}\n`);
}

function peakMb(): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return peak === undefined ? process.resourceUsage().maxRSS / 1024 : Number(peak) / 1024;
}
