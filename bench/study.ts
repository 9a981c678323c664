/**
 * Studies beside one Parquet file of the same rows: 250 daily views of 3,000 tickers in both factors.
 *
 * What counts are ratios within one run: replay to a read by Polars, verification to hashing and parsing, sizes.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import pl from "nodejs-polars";
import { connect, openStudy } from "../mod.ts";
import { openTemporaryFolder } from "../src/store/disk/temporary_folder.ts";
import { verifyStudy } from "../src/study/verify/verify_study.ts";
import { KEY, type RecordedStudy, recordStudy } from "./_study_case.ts";

const DAYS = Number(process.argv[2] ?? 250);
const TICKERS = Number(process.argv[3] ?? 3_000);
const ROUNDS = 5;

/** The median of a few rounds of each, taken in turn so that other work of the machine meets all alike. */
async function mediansMs(runs: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of runs.entries()) {
      const startMs = performance.now();
      await run();
      times[i]!.push(performance.now() - startMs);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!);
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) =>
    join(entry.parentPath, entry.name)
  );
}

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function say(what: string, ratio: number, { unit = "times", target = 0 }): void {
  const found = `${what.padEnd(58)} ${ratio.toFixed(1).padStart(8)} ${unit}`;
  process.stdout.write(`${found}  (target ${target})\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureTimes({ folder, at, server }: RecordedStudy, parquet: string) {
  const files = await filesOf(join(folder, "store"));
  const openFrozen = () => openStudy(folder, { mode: "frozen", environment: {} });
  const [parquetMs, replayMs, connectMs, openMs, bareMs, verifyMs] = await mediansMs([
    () => pl.scanParquet(parquet).collect(),
    async () => {
      await using study = await openFrozen();
      await study.panel(["ecpnd", "ecqdi"], { at, progress: false });
    },
    async () => {
      const api = await connect({ apiKey: KEY, fetch: server.fetch, store: join(folder, "store") });
      await api.close();
    },
    async () => await (await openFrozen()).close(),
    async () => {
      for (const path of files) {
        const bytes = await readFile(path);
        createHash("sha256").update(bytes).digest("hex");
        JSON.parse((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
      }
    },
    async () => {
      const { problems } = await verifyStudy(folder);
      if (problems.length > 0) throw new Error(problems[0]!.says);
    },
  ]) as [number, number, number, number, number, number];
  const [parquetText, replayText, verifyText, bareText] = [parquetMs, replayMs, verifyMs, bareMs]
    .map((ms) => `${ms.toFixed(0)} ms`);
  print(
    `Parquet ${parquetText}, replay ${replayText}, verify ${verifyText}, hash and parse ${bareText}`,
  );
  say("replay of the panel, to a read of one Parquet file", replayMs / parquetMs, { target: 10 });
  const beyondMs = Math.max(0, openMs - connectMs);
  say("opening without loading, beyond connect()", beyondMs, { unit: "ms", target: 20 });
  say("verify, to hashing and parsing the same files", verifyMs / bareMs, { target: 3 });
}

const temporary = await openTemporaryFolder("bench");
try {
  const recorded = await recordStudy(temporary.path, { days: DAYS, tickers: TICKERS });
  const { folder, at, server } = recorded;
  const study = await openStudy(folder, { mode: "frozen", environment: {} });
  const panel = await study.panel(["ecpnd", "ecqdi"], { at, progress: false });
  await study.close();
  const storeBytes = await sizeOf(await filesOf(join(folder, "store")));
  print(`${panel.height} rows; store ${(storeBytes / 1e6).toFixed(1)} MB`);
  const parquets = new Map<string, number>();
  for (const compression of ["zstd", "lz4"] as const) {
    const path = join(temporary.path, `panel.${compression}.parquet`);
    panel.writeParquet(path, { compression });
    parquets.set(path, await sizeOf([path]));
  }
  await measureTimes(recorded, [...parquets.keys()].at(-1)!);
  for (const [path, bytes] of parquets) {
    const compression = path.split(".").at(-2);
    const what = `size of the store, to one Parquet file (${compression}, ${
      (bytes / 1e6).toFixed(1)
    } MB)`;
    say(what, storeBytes / bytes, { target: 5 });
  }
  await server.close();
} finally {
  temporary.remove();
}
