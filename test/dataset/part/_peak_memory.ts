/** Prints by how much a job raised the peak of resident memory, in bytes: _peak_memory.ts JOB FOLDER FIRST-LAST */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { dayColumn, numberColumn } from "../../../src/analysis/table/make_columns.ts";
import { analyzePartition, exportDataset } from "../../../src/dataset/mod.ts";
import { sessions } from "../../../src/frame/sessions/sessions.ts";
import { randomOf } from "../../analysis/_frames.ts";

const [job, folder, span] = process.argv.slice(2) as [string, string, string];
const [first, last = first] = span.split("-").map(Number) as [number, number?];
const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
const asked = { periods: [1, 5], lags: [1, 5] };
const TICKERS = 1_000;

if (job === "write") {
  for (const year of years) {
    await exportDataset(framesOf(year, "close"), folder);
    await exportDataset(framesOf(year, "score"), folder, { factor: "f" });
  }
} else {
  const before = process.memoryUsage.rss();
  if (job === "partitions") await analyzeByPartition();
  else await analyzeInMemory();
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  process.stdout.write(`${1024 * Number(peak) - before}\n`);
}

async function analyzeByPartition(): Promise<void> {
  for (const year of years) {
    const partition = `year=${year}`;
    const out = join(folder, "parts", `${partition}.parquet`);
    await analyzePartition(folder, { factor: "f", partition, out, ...asked });
  }
}

async function analyzeInMemory(): Promise<void> {
  const read = (table: string) =>
    pl.concat(
      years.map((year) => pl.readParquet(join(folder, table, `year=${year}`, "part-0.parquet"))),
    );
  await analyzeFactor(read("scores/factor=f").select("date", "ticker", "score"), read("prices"), {
    ...asked,
    noise: false,
    progress: false,
  });
}

function framesOf(year: number, column: string): DataFrame {
  const days = sessions(`${year}-01-01`, `${year}-12-31`).getColumn("date")
    .toArray() as unknown as Date[];
  const random = randomOf(column.length * year);
  const height = days.length * TICKERS;
  const names = Array.from({ length: TICKERS }, (_, i) => `T${i}`);
  return pl.DataFrame([
    dayColumn(
      "date",
      Int32Array.from(
        { length: height },
        (_, i) => days[Math.floor(i / TICKERS)]!.getTime() / 86_400_000,
      ),
    ),
    pl.Series("ticker", Array.from({ length: height }, (_, i) => names[i % TICKERS]!), pl.Utf8),
    numberColumn(column, Float64Array.from({ length: height }, () => 1 + random())),
  ]);
}
