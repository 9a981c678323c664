/**
 * Studies beside one Parquet file of the same rows: 250 daily views of 3,000 tickers in both factors.
 *
 * What counts are ratios within one run, of the least times: replay to a read by Polars, verification to hashing and
 * parsing, sharing to `tar` and `zstd`, sizes.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadavg } from "node:os";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import pl from "nodejs-polars";
import { connect, openStudy } from "../mod.ts";
import { openTemporaryFolder } from "../src/base/disk/temporary_folder.ts";
import { exportStudy } from "../src/study/share/export_study.ts";
import { importStudy } from "../src/study/share/import_study.ts";
import { verifyStudy } from "../src/study/verify/verify_study.ts";
import { KEY, type RecordedStudy, recordStudy } from "./_study_case.ts";

const DAYS = Number(process.argv[2] ?? 250);
const TICKERS = Number(process.argv[3] ?? 3_000);
const ROUNDS = 7;
const CHECKS = 10_000;

/** What a run took. */
interface Cost {
  /** From its beginning to its end. */
  readonly ms: number;
  /** Of the processor, in all threads; other work of the machine hardly changes it. */
  readonly processorMs: number;
}

/** The least of a few rounds of each, taken in turn so that other work of the machine meets all alike. */
async function costsOf<Name extends string>(
  runs: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Readonly<Record<Name, Cost>>> {
  const names = Object.keys(runs) as Name[];
  const rounds: Record<string, Cost>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const costs: Record<string, Cost> = {};
    for (const name of names) costs[name] = await costOf(runs[name]);
    rounds.push(costs);
  }
  return Object.fromEntries(names.map((name) => [name, {
    ms: Math.min(...rounds.map((costs) => costs[name]!.ms)),
    processorMs: Math.min(...rounds.map((costs) => costs[name]!.processorMs)),
  }])) as Record<Name, Cost>;
}

/** @param run Gives the processor's time of the processes that it started, in milliseconds, if there were any */
async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const [startMs, start] = [performance.now(), process.cpuUsage()];
  const children = await run();
  const { user, system } = process.cpuUsage(start);
  const ownMs = (user + system) / 1_000;
  const childrenMs = typeof children === "number" ? children : 0;
  return { ms: performance.now() - startMs, processorMs: ownMs + childrenMs };
}

/** Runs a command, and gives the processor's time of its processes in milliseconds, as the shell counts it. */
function shell(command: string): Promise<number> {
  const [, children = ""] = execFileSync("sh", ["-c", `${command}; times`]).toString().split("\n");
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return Promise.resolve(
    times.reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60e3 + Number(seconds) * 1e3,
      0,
    ),
  );
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

interface Claim {
  readonly unit?: string;
  readonly target: number;
  readonly processor?: number;
}

function say(what: string, found: number, { unit = "times", target, processor }: Claim): void {
  const beside = processor === undefined
    ? ""
    : `, ${processor.toFixed(1)} ${unit} of the processor's time`;
  print(`${what.padEnd(58)} ${found.toFixed(1).padStart(8)} ${unit}  (target ${target}${beside})`);
}

/** Says how many times one cost is another. */
function sayRatio(what: string, [cost, other]: readonly [Cost, Cost], target: number): void {
  say(what, cost.ms / other.ms, { target, processor: cost.processorMs / other.processorMs });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureTimes({ folder, at, server }: RecordedStudy, parquet: string) {
  const files = await filesOf(join(folder, "store"));
  const openFrozen = () => openStudy(folder, { mode: "frozen", environment: {} });
  const costs = await costsOf({
    Parquet: () => pl.scanParquet(parquet).collect(),
    replay: async () => {
      await using study = await openFrozen();
      await study.panel(["ecpnd", "ecqdi"], { at, progress: false });
    },
    connect: async () => {
      const api = await connect({ apiKey: KEY, fetch: server.fetch, store: join(folder, "store") });
      await api.close();
    },
    open: async () => await (await openFrozen()).close(),
    "hash and parse": () => hashAndParse(files),
    verify: async () => {
      const { problems } = await verifyStudy(folder);
      if (problems.length > 0) throw new Error(problems[0]!.says);
    },
  });
  print(Object.entries(costs).map(([name, { ms }]) => `${name} ${ms.toFixed(0)} ms`).join(", "));
  const { replay, Parquet, open, connect: connecting, verify, "hash and parse": bare } = costs;
  sayRatio("replay of the panel, to a read of one Parquet file", [replay, Parquet], 10);
  say("opening without loading, beyond connect()", Math.max(0, open.ms - connecting.ms), {
    unit: "ms",
    target: 20,
    processor: Math.max(0, open.processorMs - connecting.processorMs),
  });
  sayRatio("verify, to hashing and parsing the same files", [verify, bare], 3);
}

/** Sharing a study of ten thousand checks beside `tar` and `zstd`. */
async function measureSharing({ folder }: RecordedStudy, home: string): Promise<void> {
  const source = join(home, "hourly");
  await mkdir(join(source, "store"), { recursive: true });
  await cp(join(folder, "study.lock.json"), join(source, "study.lock.json"));
  await cp(join(folder, "store", "store.json"), join(source, "store", "store.json"));
  const from = join(folder, "store", "ecpnd", "checks");
  const check = await readFile(join(from, (await readdir(from)).sort()[0]!));
  const checks = join(source, "store", "ecpnd", "checks");
  await mkdir(checks, { recursive: true });
  for (let i = 0; i < CHECKS; i++) await writeFile(join(checks, `${i}.json`), check);
  const [tar, zip, unpacked, imported] = ["x.tar.zst", "x.zip", "unpacked", "imported"]
    .map((name) => join(home, name)) as [string, string, string, string];
  const costs = await costsOf({
    tar: () => shell(`tar -C '${source}' -cf - . | zstd -qf -o '${tar}'`),
    export: () => exportStudy(source, zip, { withoutData: false, name: "hourly" }),
    untar: () =>
      shell(
        `rm -rf '${unpacked}' && mkdir '${unpacked}' && zstd -dcq '${tar}' | tar -xf - -C '${unpacked}'`,
      ),
    import: async () => {
      await rm(imported, { recursive: true, force: true });
      await importStudy(zip, imported);
    },
  });
  sayRatio("export of 10,000 checks, to tar and zstd", [costs.export, costs.tar], 10);
  sayRatio("import of them, to zstd and tar", [costs.import, costs.untar], 10);
}

async function hashAndParse(files: readonly string[]): Promise<void> {
  for (const path of files) {
    const bytes = await readFile(path);
    createHash("sha256").update(bytes).digest("hex");
    JSON.parse((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  }
}

const temporary = await openTemporaryFolder("bench");
try {
  const recorded = await recordStudy(temporary.path, { days: DAYS, tickers: TICKERS });
  const { folder, at, server } = recorded;
  const study = await openStudy(folder, { mode: "frozen", environment: {} });
  const panel = await study.panel(["ecpnd", "ecqdi"], { at, progress: false });
  await study.close();
  const storeBytes = await sizeOf(await filesOf(join(folder, "store")));
  const load = loadavg()[0]!.toFixed(1);
  print(
    `${panel.height} rows; store ${(storeBytes / 1e6).toFixed(1)} MB; load of the machine ${load}`,
  );
  const parquets = new Map<string, number>();
  for (const compression of ["zstd", "lz4"] as const) {
    const path = join(temporary.path, `panel.${compression}.parquet`);
    panel.writeParquet(path, { compression });
    parquets.set(path, await sizeOf([path]));
  }
  await measureTimes(recorded, [...parquets.keys()].at(-1)!);
  await measureSharing(recorded, temporary.path);
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
