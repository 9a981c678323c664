/**
 * The path from long frames to tables, and in a process of its own its peak of memory, or that of a whole analysis:
 * `deno run -A bench/_analysis_case.ts FOLDER path|alone|analysis`.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import {
  align,
  analyzeFactor,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantileTurnover,
  quantize,
} from "../src/analysis/mod.ts";

/** The horizons, in sessions. */
export const PERIODS = [1, 5, 21];

/** What a run took, and what it found. */
export interface Timed {
  /** Milliseconds. */
  readonly times: Readonly<Record<string, number>>;
  /** Milliseconds of all processors together, which do not depend on who else works. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Numbers to compare. */
  readonly values: Readonly<Record<string, readonly number[]>>;
}

/** From long frames to correlations, means of quantiles and turnover. */
export function analyse(scores: DataFrame, prices: DataFrame): Timed {
  const [times, cpu]: Record<string, number>[] = [{}, {}];
  const measure = <Result>(name: string, compute: () => Result): Result => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    const result = compute();
    const used = process.cpuUsage(before);
    times![name] = performance.now() - start;
    cpu![name] = (used.user + used.system) / 1000;
    return result;
  };
  const aligned = measure("align", () => {
    const returns = forwardReturns(prices, { periods: PERIODS, ended: "null" });
    return align(scores, returns, { entry: "same" });
  });
  const ic = measure("rank IC", () => informationCoefficient(aligned));
  const [quantized, means] = measure("quantile means", () => {
    const sorted = quantize(aligned);
    return [sorted, meanReturnByQuantile(sorted)] as const;
  });
  measure("turnover", () => quantileTurnover(quantized));
  const mean = (horizon: number) =>
    ic.filter(pl.col("horizon").eq(pl.lit(horizon))).getColumn("ic").mean() as number;
  if (means.height === 0) throw new Error("buckets expected");
  return { times: times!, cpu: cpu!, values: { ic: PERIODS.map(mean) } };
}

const WHAT: Readonly<Record<string, string>> = {
  path: "path",
  alone: "path on one thread",
  analysis: "analyzeFactor() with 199 shifts",
};

async function measureMemory(folder: string, what: string): Promise<void> {
  const [scores, prices] = ["scores", "prices"].map((name) =>
    pl.readParquet(join(folder, `${name}.parquet`))
  ) as [DataFrame, DataFrame];
  const input = (4 + 16 + 8) * (scores.height + prices.height);
  const before = process.memoryUsage.rss();
  // Linux counts the peak of a process anew from here on.
  writeFileSync("/proc/self/clear_refs", "5");
  const [start, used] = [performance.now(), process.cpuUsage()];
  if (what === "path") analyse(scores, prices);
  else await analyzeFactor(scores, prices, { progress: false });
  const { user, system } = process.cpuUsage(used);
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))![1];
  const added = (1024 * Number(peak) - before) / input;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  process.stdout.write(
    `${WHAT[what]} in a process of its own: ` +
      `${seconds(performance.now() - start)}, ${seconds((user + system) / 1000)} of processors; ` +
      `peak of memory ${added.toFixed(1)} times the input above what held it\n`,
  );
}

if (import.meta.main) await measureMemory(process.argv[2]!, process.argv[3]!);
