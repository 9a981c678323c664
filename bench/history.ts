/**
 * Loads the full world's release in every way and prints how long each takes, as ratios within one run:
 * `deno task bench history [rounds]`. Each measurement has a process of its own; the ways take turns.
 *
 * @module
 */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { gunzipSync as fflateGunzip } from "fflate";
import { gunzipSync } from "node:zlib";
import { connect } from "../mod.ts";
import type { StoredRelease } from "../src/base/store/release/release_file.ts";
import { buildWorld } from "../src/server/world/mod.ts";
import { digestsOf, PANDAS_DIGESTS } from "./_history_cells.ts";
import { benchPython } from "./_python.ts";

interface Measured {
  readonly ms: number;
  readonly blockedMs: number;
  /** Peak until the rows were handed out. */
  readonly handedOutBytes: number;
  /** Peak until nothing was done behind the caller's back any more. */
  readonly peakBytes: number;
}

// Ways of `_read_release.py`: none of them verifies anything.
const PYTHON_WAYS = ["pandas", "pandas+pyarrow", "polars", "duckdb"] as const;
const PYTHON = benchPython();
const KEY = "svc_test_bench0123456789";
const run = promisify(execFile);
const versions = new Map<string, string>();
const leftOut = new Set<string>();
const rounds = Number(process.argv[2] ?? 5);
const folder = await mkdtemp(join(tmpdir(), "scoreframe-bench-history-"));
try {
  await main();
} finally {
  await rm(folder, { recursive: true });
}

async function main(): Promise<void> {
  const built = performance.now();
  const world = await buildWorld(join(folder, "world"), { size: "full", hours: 24 });
  const [stored] = await world.store.listReleases("ecpnd");
  if (stored === undefined) throw new Error("Cannot measure: the world has no release");
  const rows = stored.release.rows ?? 0;
  print(
    `release: ${rows} rows, ${stored.sizeBytes} bytes compressed; ` +
      `world made in ${seconds(performance.now() - built)}`,
  );
  const server = await startServer(world.store.path);
  try {
    const results = await measureAll(world.store.path, stored, server);
    printResults(results, stored, rows);
  } finally {
    server.stop();
  }
  await printInflaters(stored.path);
  await printCells(world.store.path, stored.path);
}

async function measureAll(worldPath: string, stored: StoredRelease, server: Server) {
  const bare = await storeCopy(worldPath, stored, "bare");
  const derived = await storeCopy(worldPath, stored, "derived");
  const scanned = await storeCopy(worldPath, stored, "scanned");
  for (const [store, lazy] of [[derived, false], [scanned, true]] as const) {
    const warm = await connect({ apiKey: KEY, store, fetch: refuse });
    if (lazy) await warm.history("ecpnd", { offline: true, lazy });
    else await warm.history("ecpnd", { offline: true });
    await warm.close();
  }
  const ways: Record<string, () => Promise<Measured | null>> = {
    ...Object.fromEntries(PYTHON_WAYS.map((way) => [way, () => measurePython(way, stored)])),
    scan: () => measure("scan", bare, stored.path),
    first: async () => measure("load", await freshStore(bare, worldPath, stored)),
    categorical: async () => measure("categorical", await freshStore(bare, worldPath, stored)),
    second: () => measure("load", derived),
    lazyFirst: async () => measure("lazy", await freshStore(bare, worldPath, stored)),
    lazy: () => measure("lazy", scanned),
    ticker: () => measure("ticker", scanned),
    year: () => measure("year", scanned),
    loopback: () => measure("download", "-", "-", server.url),
    link: () => measure("download", "-", "-", server.pacedUrl),
  };
  const results = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const measured = await way();
      if (measured !== null) results.set(name, [...results.get(name) ?? [], measured]);
    }
  }
  return results;
}

function printResults(
  results: ReadonlyMap<string, readonly Measured[]>,
  stored: StoredRelease,
  rows: number,
): void {
  const timesOf = (name: string) => (results.get(name) ?? []).map((result) => result.ms);
  const linkMs = stored.sizeBytes / 50_000;
  // 4 bytes for the date, 8 and a bit for the score; the ticker takes 16 as text, 4 as a category; constant columns none.
  const bytesOf = (tickerBytes: number) => rows * (4 + tickerBytes + 8 + 1 / 8);
  print(`\nmedian of ${rounds} rounds, in milliseconds`);
  for (const [name, measured] of results) {
    const shortest = least(timesOf(name));
    const peak = median(measured.map((result) => result.peakBytes)) / 1e6;
    const handedOut = median(measured.map((result) => result.handedOutBytes)) / 1e6;
    const blocked = median(measured.map((result) => result.blockedMs));
    print(
      `  ${labelOf(name).padEnd(21)} ${median(timesOf(name)).toFixed(0).padStart(6)}  least ${
        shortest.toFixed(0).padStart(6)
      }` +
        `  peak +${handedOut.toFixed(0).padStart(4)} MB, with the writing behind it +${
          peak.toFixed(0).padStart(4)
        } MB  event loop blocked ${blocked.toFixed(0)} ms`,
    );
  }
  const peaksOf = (way: string) => (results.get(way) ?? []).map(({ peakBytes }) => peakBytes);
  // The least times say what the machine can do; medians also say what else it did.
  for (const [name, of] of [["medians", median], ["least times", least]] as const) {
    const ms = (way: string) => of(timesOf(way));
    print(`\nratio of ${name}, and its bar`);
    line("pandas, verifying nothing / verified load", ms("pandas") / ms("first"), "at least", 3);
    for (const way of PYTHON_WAYS.slice(1)) {
      beside(`${way}, verifying nothing / verified load`, ms(way) / ms("first"));
    }
    line("verified load / unverified scanCSV", ms("first") / ms("scan"), "at most", 1.4);
    line("loopback download / from disk", ms("loopback") / ms("first"), "at most", 1.25);
    line("download at 50 MB/s / time of the link", ms("link") / linkMs, "at most", 1.15);
    line("second load, checksum tested / first", ms("second") / ms("first"), "at most", 1 / 6);
    line("lazy frame, one ticker / first", ms("ticker") / ms("first"), "at most", 0.1);
    line("lazy frame, one year / first", ms("year") / ms("first"), "at most", 0.1);
    const [text, category] = [of(peaksOf("first")), of(peaksOf("categorical"))];
    line("peak of first load and writing / frame, text", text / bytesOf(16), "at most", 2);
    line("the same with categories", category / bytesOf(4), "at most", 2);
    beside("peak with text / frame of categories", text / bytesOf(4));
  }
  print(
    "\nWhat was tried beside these ways, and what it costs: bench/README.md",
  );
}

// fflate is the better tool where the same bytes must come out everywhere; this is why it is not used here.
async function printInflaters(path: string): Promise<void> {
  const bytes = await readFile(path);
  const timed = (inflate: (bytes: Uint8Array) => Uint8Array) => {
    const start = performance.now();
    inflate(bytes);
    return performance.now() - start;
  };
  const ratio = timed(fflateGunzip) / timed((gzip) => gunzipSync(gzip, { chunkSize: 1 << 20 }));
  print(`\nfflate takes ${ratio.toFixed(1)} times as long as node:zlib to inflate the file`);
}

// The one check that owes nothing to this library: pandas finds the same in every cell.
async function printCells(storePath: string, path: string): Promise<void> {
  const api = await connect({ apiKey: KEY, store: storePath, fetch: refuse });
  const own = digestsOf(await api.history("ecpnd", { offline: true }));
  await api.close();
  const { stdout } = await run(PYTHON, ["-c", PANDAS_DIGESTS, path]).catch(() => ({ stdout: "" }));
  const isSame = stdout === "" ? null : stdout.trim() === JSON.stringify(own).replaceAll(",", ", ");
  const verdict = isSame === null ? "not compared: pandas is missing" : isSame ? "yes" : "NO";
  print(`pandas reads the same date, ticker and score in every row: ${verdict}`);
}

interface Server {
  readonly url: string;
  readonly pacedUrl: string;
  stop(): void;
}

function startServer(storePath: string): Promise<Server> {
  const script = join(import.meta.dirname!, "_history_server.ts");
  const child = spawn(Deno.execPath(), ["run", "-A", script, storePath], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.stdout.once("data", (text: Uint8Array) => {
      const urls = JSON.parse(new TextDecoder().decode(text)) as { url: string; pacedUrl: string };
      resolve({ ...urls, stop: () => void child.kill() });
    });
  });
}

async function measure(...args: readonly string[]): Promise<Measured> {
  const script = join(import.meta.dirname!, "_history_case.ts");
  const { stdout } = await run(Deno.execPath(), ["run", "-A", script, ...args]);
  return JSON.parse(stdout) as Measured;
}

async function measurePython(way: string, { path, release }: StoredRelease) {
  if (leftOut.has(way)) return null;
  const script = join(import.meta.dirname!, "_read_release.py");
  try {
    const { stdout } = await run(PYTHON, [script, way, path]);
    const measured = JSON.parse(stdout) as Measured & { rows: number; version: string };
    if (measured.rows !== release.rows) throw new Error(`${measured.rows} rows were read`);
    versions.set(way, measured.version);
    return measured;
  } catch (error) {
    leftOut.add(way);
    const { message } = error as Error;
    print(`${way} left out: ${message.trim().split("\n").at(-1)}`);
    return null;
  }
}

/** A store with nothing but the release; its folder's derived file, if any, is not copied. */
async function storeCopy(worldPath: string, stored: StoredRelease, name: string): Promise<string> {
  const target = join(folder, name);
  const release = join(target, "ecpnd", "releases", stored.release.downloadSha256);
  await mkdir(release, { recursive: true });
  await copyFile(join(worldPath, "store.json"), join(target, "store.json"));
  await copyFile(stored.path, join(release, "history.csv.gz"));
  await copyFile(join(dirname(stored.path), "release.json"), join(release, "release.json"));
  return target;
}

async function freshStore(bare: string, worldPath: string, stored: StoredRelease): Promise<string> {
  await rm(bare, { recursive: true });
  const copied = await storeCopy(worldPath, stored, "bare");
  // Reads the file once, so that every way finds it in the page cache.
  createHash("sha256").update(await readFile(stored.path)).digest();
  return copied;
}

function labelOf(way: string): string {
  const version = versions.get(way);
  return version === undefined ? way : `${way} ${version}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

function least(values: readonly number[]): number {
  return values.length === 0 ? NaN : Math.min(...values);
}

function line(name: string, ratio: number, kind: "at least" | "at most", bar: number): void {
  const isMet = kind === "at least" ? ratio >= bar : ratio <= bar;
  const verdict = Number.isNaN(ratio) ? "not measured" : isMet ? "met" : "NOT MET";
  print(
    `  ${name.padEnd(48)} ${ratio.toFixed(2).padStart(6)}  ${kind} ${bar.toFixed(2)}  ${verdict}`,
  );
}

// What has no bar: it says where a user stands who picks the other.
function beside(name: string, ratio: number): void {
  if (!Number.isNaN(ratio)) print(`  ${name.padEnd(48)} ${ratio.toFixed(2).padStart(6)}`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function refuse(): never {
  throw new Error("Cannot measure from disk: nothing may be sent");
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
