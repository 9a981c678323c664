import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname!, "..");
const JOBS = join(ROOT, "docs/beyond-one-machine");
const DASK_CLUSTER = join(ROOT, "test/desk/dataset/dask_cluster.py");
const SCOREFRAME = `${Deno.execPath()} run -A ${join(ROOT, "src/app/cli/main.ts")}`;

// Four years of 3,000 took Spark more than 4.5 minutes of processor time.
const MOST_TICKERS = 300;

/** Where an analysis of one factor is run, and what runs Python. */
export interface EnginePlace {
  /** Folder of the dataset. */
  readonly dataset: string;
  /** Folder of the results. */
  readonly out: string;
  /** How many tickers it has. */
  readonly tickers: number;
  /** The factor. */
  readonly factor: string;
  /** The Python with DuckDB, PySpark and Dask. */
  readonly python: string;
}

/** A way to analyse one factor, and what it took. */
export interface EngineRun {
  /** What ran. */
  readonly way: string;
  /** By the clock, all of it; `null` if it is not installed. */
  readonly seconds: number | null;
  /** More to say. */
  readonly note: string;
}

/**
 * Analyses one factor in plain processes, two at a time, by the jobs for Spark and Dask with two workers, and by the SQL in
 * DuckDB and in Spark.
 */
export async function runEngines(place: EnginePlace): Promise<readonly EngineRun[]> {
  const { dataset, out, factor, python } = place;
  const spark = ["--master", "local[2]", "--conf", "spark.ui.enabled=false", "pyspark-shell"];
  return [
    await timed("plain processes", "bash", [
      "-c",
      `set -o pipefail; ${SCOREFRAME} analyse ${dataset} --factor ${factor} --list | ` +
      `xargs -P2 -I{} ${SCOREFRAME} analyse ${dataset} --factor ${factor} --partition {} ` +
      `--out ${out}/plain/{}.parquet && ${SCOREFRAME} analyse --merge ${out}/plain/*.parquet ` +
      `--out ${out}/plain-tables`,
    ]),
    await timed("the Spark job", python, [
      join(JOBS, "spark_job.py"),
      ...[dataset, factor, join(out, "spark")],
    ], { PYSPARK_SUBMIT_ARGS: spark.join(" ") }),
    await timed("the Dask job", python, [
      DASK_CLUSTER,
      join(JOBS, "dask_job.py"),
      ...[dataset, factor, join(out, "dask")],
    ]),
    await sql("SQL in DuckDB", "duckdb", place),
    place.tickers > MOST_TICKERS
      ? { way: "SQL in Spark", seconds: null, note: `measured up to ${MOST_TICKERS} tickers` }
      : await sql("SQL in Spark", "spark", place),
  ];
}

/** Whether the jobs for Spark and Dask gave the tables of plain processes, byte by byte; a sentence. */
export async function compareTables(out: string): Promise<string> {
  const plain = await bytesOf(join(out, "plain-tables"));
  const found = await Promise.all(["spark", "dask"].map(async (name) => {
    const tables = await bytesOf(join(out, name, "tables"));
    return `${name}: ${tables === null ? "left out" : tables === plain ? "the same" : "DIFFERENT"}`;
  }));
  return `bytes of the merged tables beside those of plain processes: ${found.join(", ")}`;
}

/** A hash of the files of a folder; `null` if there is none. */
async function bytesOf(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => null);
  if (names === null) return null;
  const hash = createHash("sha256");
  for (const name of names.toSorted()) {
    hash.update(`${name}\n`).update(await readFile(join(folder, name)));
  }
  return hash.digest("hex");
}

async function timed(
  way: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<EngineRun> {
  const start = performance.now();
  const errors = await new Promise<string>((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, SCOREFRAME, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.on("data", (piece) => text += String(piece));
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code) => resolve(code === 0 ? "" : text));
  });
  if (errors !== "") return { way, seconds: null, note: errors.trim().split("\n").at(-1)! };
  return { way, seconds: (performance.now() - start) / 1000, note: "start and merge included" };
}

async function sql(
  way: string,
  engine: string,
  { python, dataset, factor }: EnginePlace,
): Promise<EngineRun> {
  const args = [join(import.meta.dirname!, "scale_sql.py"), engine, dataset, join(JOBS, "sql")];
  try {
    const { stdout } = await promisify(execFile)(python, [...args, factor]);
    const { ready, seconds } = JSON.parse(stdout) as Record<"ready" | "seconds", number>;
    const note = `${ready.toFixed(1)} s of it before the first query; no tests of means`;
    return { way, seconds: ready + seconds, note };
  } catch (error) {
    return { way, seconds: null, note: String((error as Error).message).split("\n").at(-2) ?? "" };
  }
}
