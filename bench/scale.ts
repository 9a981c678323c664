/**
 * An analysis partition by partition: 7.5 million rows (ten factors over ten years of 300 tickers), or with `full` 75 million
 * (of 3,000 tickers); with one worker process and with two; the cost from one factor-year to a hundred, drawn. With `engines` also
 * one factor by the jobs for Spark and Dask, and by SQL in DuckDB and Spark; `tickers=3000` and `years=2` make another size, `rows=2500000` another
 * one of what is exported.
 * `bound` gives each worker one core, as a slot of an engine has (`taskset` of Linux).
 * `dataset=FOLDER` keeps the dataset there: one that is finished is not made again, one that was interrupted goes on.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { plot } from "../src/report/chart/mod.ts";
import { mergePartitions } from "../src/desk/dataset/mod.ts";
import { benchPython } from "./_python.ts";
import { compareTables, runEngines } from "./_scale_engines.ts";
import { writeScaleWorld } from "./_scale_world.ts";

interface Done {
  readonly factor: string;
  readonly partition: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
}

const isFull = process.argv.includes("full");
const drawn = process.argv.find((word) => word.endsWith(".svg"));
const WORKER = join(import.meta.dirname!, "_scale_worker.ts");
const world = {
  factors: Array.from({ length: Number(wordOf("factors") ?? 10) }, (_, i) => `f${i}`),
  years: Array.from({ length: Number(wordOf("years") ?? 10) }, (_, i) => 2016 + i),
  tickers: Number(wordOf("tickers") ?? (isFull ? 3_000 : 300)),
};
const jobs = world.factors.flatMap((factor) => world.years.map((year) => `${factor}/year=${year}`));

const home = await mkdtemp(join(tmpdir(), "scoreframe-bench-"));
try {
  const folder = wordOf("dataset") ?? join(home, "dataset");
  const making = performance.now();
  const rows = await writeScaleWorld(folder, world);
  print(`${rows} rows of scores, ${jobs.length} factor-years of ${world.tickers} tickers`);
  print(`  dataset written in ${since(making)} s, a partition at a time`);
  const [load] = loadavg();
  print(
    `  ${availableParallelism()} cores; work that waits for them before the runs: ${
      load!.toFixed(1)
    }`,
  );
  await reportExport(join(home, "export"));
  const one = await runWorkers(folder, join(home, "one"), [jobs]);
  const halves = [0, 1].map((half) => jobs.filter((_, i) => i % 2 === half));
  const two = await runWorkers(folder, join(home, "two"), halves);
  report("one worker ", one);
  report("two workers", two);
  print(
    `  two take ${(two.seconds / one.seconds).toFixed(2)} of the time of one, and ` +
      `${(cpuOf(two) / cpuOf(one)).toFixed(2)} of its processor time`,
  );
  await reportMerge(join(home, "two"));
  await reportLine(one.workers[0]!, rows / jobs.length);
  if (process.argv.includes("engines")) await reportEngines(folder);
} finally {
  await rm(home, { recursive: true });
}

/** Memory and time of an export and an append beside the frame, in this library and in Polars of Python. */
async function reportExport(folder: string): Promise<void> {
  const cases = [
    ["scoreframe", Deno.execPath(), ["run", "-A", join(import.meta.dirname!, "_export_case.ts")]],
    ["py-polars ", benchPython(), [join(import.meta.dirname!, "_export_case.py")]],
  ] as const;
  for (const kind of ["prices", "release", "panel", "sets"]) {
    for (const [name, program, words] of cases) {
      const args = [...words, join(folder, kind, name.trim()), kind, wordOf("rows") ?? "5000000"];
      const { stdout } = await new Deno.Command(program, { args }).output();
      const { rows, exported, appended } = JSON.parse(new TextDecoder().decode(stdout)) as {
        readonly rows: number;
        readonly exported: Taken;
        readonly appended: Taken | null;
      };
      print(
        `  ${name} ${rows} rows of ${kind} in ten partitions: export ${takenText(exported)}` +
          (appended === null ? "" : `; append of 60 days ${takenText(appended)}`),
      );
    }
  }
}

interface Taken {
  readonly seconds: number;
  readonly peakMb: number;
}

function takenText({ seconds, peakMb }: Taken): string {
  return `${peakMb.toFixed(0)} MB beside the frame, ${seconds.toFixed(2)} s`;
}

/** One factor on every engine, as a multiple of plain processes. */
async function reportEngines(dataset: string): Promise<void> {
  const runs = await runEngines({
    dataset,
    out: home,
    tickers: world.tickers,
    factor: "f0",
    python: benchPython(),
  });
  const plain = runs[0]!.seconds ?? NaN;
  print(`one factor, ${world.years.length} years, two workers; plain processes are 1`);
  for (const { way, seconds, note } of runs) {
    const took = seconds === null
      ? "left out"
      : `${(seconds / plain).toFixed(2)}  ${seconds.toFixed(1)} s`;
    print(`  ${way.padEnd(16)} ${took} (${note})`);
  }
  print(`  ${await compareTables(home)}`);
}

interface Run {
  readonly seconds: number;
  readonly workers: readonly (readonly Done[])[];
}

async function runWorkers(
  folder: string,
  parts: string,
  shares: readonly (readonly string[])[],
): Promise<Run> {
  const start = performance.now();
  const workers = await Promise.all(
    shares.map((share, core) => runWorker([folder, parts, ...share], core)),
  );
  return { seconds: (performance.now() - start) / 1000, workers };
}

function runWorker(args: readonly string[], core: number): Promise<readonly Done[]> {
  // Polars and V8 use further cores where they are idle; a slot of an engine has one.
  const bound = process.argv.includes("bound") ? ["taskset", "-c", String(core)] : [];
  const [program, ...words] = [...bound, Deno.execPath(), "run", "-A", WORKER, ...args];
  return new Promise((resolve, reject) => {
    const worker = spawn(program!, words, {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    worker.stdout.on("data", (piece) => printed += String(piece));
    worker.on("error", reject);
    worker.on("exit", (code) => {
      if (code !== 0) return reject(new Error(`A worker ended with ${code}`));
      resolve(printed.trim().split("\n").map((line) => JSON.parse(line) as Done));
    });
  });
}

function report(name: string, run: Run): void {
  const peak = Math.max(...run.workers.flat().map(({ peakMb }) => peakMb));
  print(
    `  ${name}: ${run.seconds.toFixed(1)} s, ${cpuOf(run).toFixed(1)} s of processors; ` +
      `peak of a worker ${peak.toFixed(0)} MB`,
  );
}

/** The processor time of all workers, of which each says after every partition what it took until then. */
function cpuOf({ workers }: Run): number {
  return workers.reduce((sum, done) => sum + (done.at(-1)?.cpuSeconds ?? 0), 0);
}

async function reportMerge(parts: string): Promise<void> {
  const start = performance.now();
  const factor = world.factors.at(-1)!;
  const paths = world.years.map((year) => join(parts, factor, `year=${year}.parquet`));
  await mergePartitions(paths);
  print(`  merge of one factor's ${paths.length} parts: ${since(start)} s`);
}

/** The straight line through the times at which partitions were finished, how far they are from it, and where it leads. */
async function reportLine(done: readonly Done[], rowsEach: number): Promise<void> {
  // Processor time: what else runs on the machine does not bend it.
  const points = done.map(({ cpuSeconds }, i) => ({ factor_years: i + 1, seconds: cpuSeconds }));
  const { slope, start, r2 } = lineThrough(points);
  print(
    `  line from 1 to ${points.length} factor-years: ${start.toFixed(1)} s + ` +
      `${slope.toFixed(3)} s of processors each, R² ${r2.toFixed(4)}`,
  );
  // Cost grows with the rows; 3,000 tickers of 252 sessions are 756,000 a factor-year.
  const each = slope * 756_000 / rowsEach;
  const hours = 10_000 * 30 * each / 3600;
  print(
    `  10,000 variants of 3,000 tickers over thirty years: 300,000 factor-years of ` +
      `${each.toFixed(2)} s, ${hours.toFixed(0)} core-hours, ${
        (hours / 100).toFixed(1)
      } h on a hundred cores`,
  );
  if (drawn === undefined) return;
  const title = `Processor time of one worker, ${world.tickers} tickers per factor-year`;
  await plot(pl.DataFrame(points), { x: "factor_years", y: "seconds", mark: "line", title })
    .save(drawn);
  print(`  drawn in ${drawn}`);
}

function lineThrough(points: readonly { factor_years: number; seconds: number }[]) {
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  const [x, y] = [points.map((p) => p.factor_years), points.map((p) => p.seconds)];
  const [mx, my] = [mean(x), mean(y)];
  const sum = (of: (i: number) => number) => points.reduce((total, _, i) => total + of(i), 0);
  const slope = sum((i) => (x[i]! - mx) * (y[i]! - my)) / sum((i) => (x[i]! - mx) ** 2);
  const start = my - slope * mx;
  const r2 = 1 - sum((i) => (y[i]! - start - slope * x[i]!) ** 2) / sum((i) => (y[i]! - my) ** 2);
  return { slope, start, r2 };
}

/** The value of an argument such as `dataset=/data/scale`; `undefined` if it is not given. */
function wordOf(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

function since(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
