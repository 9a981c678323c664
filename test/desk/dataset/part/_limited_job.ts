/** Runs a job and prints what it says as JSON: _limited_job.ts JOB FOLDER FIRST-LAST TICKERS */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import { dayColumn, numberColumn } from "../../../../src/frames/frame/typed/make_columns.ts";
import {
  analyzePartition,
  exportDataset,
  mergePartitions,
  openDataset,
} from "../../../../src/desk/dataset/mod.ts";
import { randomOf } from "../../../analysis/_frames.ts";

const YEARS_AT_ONCE = 8;
const [job, folder, span, width] = process.argv.slice(2) as [string, string, string, string];
const [first, last = first] = span.split("-").map(Number) as [number, number?];
const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
const tickers = Array.from({ length: Number(width) }, (_, i) => `T${i}`);
// Weekdays, also of years that the calendar of the US market does not know.
const asked = { periods: [1, 5], lags: [1, 5], calendar: "own" } as const;
const tickerColumns = new Map<number, Series>();
const partPaths = years.map((year) => join(folder, "parts", `year=${year}.parquet`));

const jobs: Readonly<Record<string, () => Promise<unknown>>> = {
  write,
  partitions,
  merge: async () => (await mergePartitions(partPaths)).ic.height,
  memory,
};
const said = await jobs[job]!();
process.stdout.write(`${JSON.stringify(said)}\n`);

/** Writes a dataset some years at a time: prices, and scores with the provenance of a release; how many rows each has. */
async function write(): Promise<number> {
  const provenance = Object.entries({
    factor_version: "1.0.0",
    universe: "us-listed",
    download_sha256: "0123456789abcdef".repeat(4),
    availability: "reconstructed",
    source: "synthetic",
  }).map(([name, text]) => pl.lit(text).alias(name));
  for (let i = 0; i < years.length; i += YEARS_AT_ONCE) {
    const some = years.slice(i, i + YEARS_AT_ONCE);
    const framesOfAll = (column: string) => pl.concat(some.map((year) => framesOf(year, column)));
    await exportDataset(framesOfAll("close"), folder);
    const scores = framesOfAll("score").withColumns(...provenance);
    await exportDataset(scores, folder, { factor: "f", partial: true });
  }
  const { partitions } = await openDataset(folder);
  return partitions.filter(({ table }) => table === "scores")
    .reduce((sum, { rows }) => sum + rows, 0);
}

/** Analyses the years one after the other; the bytes that the system counts before the first one, and after each. */
async function partitions(): Promise<readonly number[]> {
  const counted = [countedBytes()];
  for (const [i, year] of years.entries()) {
    const partition = `year=${year}`;
    await analyzePartition(folder, { factor: "f", partition, out: partPaths[i]!, ...asked });
    counted.push(countedBytes());
  }
  return counted;
}

/** The same with everything in memory: no more columns than are needed. */
async function memory(): Promise<number> {
  const { partitions } = await openDataset(folder);
  const read = (table: string, column: string) =>
    pl.concat(
      partitions.filter((one) => one.table === table && years.includes(one.year))
        .toSorted((a, b) => a.year - b.year)
        .map(({ path }) =>
          pl.readParquet(join(folder, path), { columns: ["date", "ticker", column] })
        ),
    );
  const [scores, prices] = [read("scores", "score"), read("prices", "close")];
  const { ic } = await analyzeFactor(scores, prices, {
    ...asked,
    still: true,
    placebo: false,
    progress: false,
  });
  return ic.height;
}

/** What a limit of data counts: memory that is private and can be written, touched or not. */
function countedBytes(): number {
  const kilobytes = /VmData:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))![1];
  return 1024 * Number(kilobytes);
}

function tickersOf(height: number): Series {
  const names = () => Array.from({ length: height }, (_, i) => tickers[i % tickers.length]!);
  const column = tickerColumns.get(height) ?? pl.Series("ticker", names(), pl.Utf8);
  tickerColumns.set(height, column);
  return column;
}

function framesOf(year: number, column: string): DataFrame {
  const days = weekdaysOf(year);
  const random = randomOf(column.length * year);
  const height = days.length * tickers.length;
  const columns: Series[] = [
    dayColumn(
      "date",
      Int32Array.from({ length: height }, (_, i) => days[Math.floor(i / tickers.length)]!),
    ),
    tickersOf(height),
    numberColumn(column, Float64Array.from({ length: height }, () => 1 + random())),
  ];
  return pl.DataFrame(columns);
}

function weekdaysOf(year: number): Int32Array {
  const [start, end] = [year, year + 1].map((y) => Date.UTC(y, 0, 1) / 86_400_000);
  const days = Int32Array.from({ length: end! - start! }, (_, i) => start! + i);
  // 1970-01-01 was a Thursday.
  return days.filter((day) => (day + 3) % 7 < 5);
}
