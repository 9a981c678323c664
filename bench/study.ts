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
import pl from "nodejs-polars";
import { connect, openStudy } from "../mod.ts";
import { createScoreServer } from "../src/server/mod.ts";
import type { Check } from "../src/contract/scores/check.ts";
import type { Factor } from "../src/contract/factor.ts";
import { Store } from "../src/store/store.ts";
import { openTemporaryFolder } from "../src/store/disk/temporary_folder.ts";
import { verifyStudy } from "../src/study/verify/verify_study.ts";

const DAYS = Number(process.argv[2] ?? 250);
const TICKERS = Number(process.argv[3] ?? 3_000);
const ROUNDS = 3;
const KEY = "svc_test_bench0123456789";
const START_MS = Date.parse("2025-11-20T21:00:00Z");
const DAY_MS = 86_400_000;

const at = Array.from({ length: DAYS }, (_, i) => new Date(START_MS + i * DAY_MS).toISOString());
const tickers = Array.from({ length: TICKERS }, (_, i) => `T${String(i).padStart(4, "0")}`);

/** A service whose factors publish a set before each close. */
async function makeService(folder: string): Promise<Store> {
  const store = await Store.create(folder, {
    format: 1,
    kind: "world",
    description: "bench",
    synthetic: true,
    complete: { from: at[0]!, through: at.at(-1)! },
    origin: { name: "bench" },
  }, { durable: false });
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    for (const [day, checkedAt] of at.entries()) await putDay(store, { factor, day, checkedAt });
  }
  return store;
}

async function putDay(
  store: Store,
  { factor, day, checkedAt }: {
    readonly factor: Factor;
    readonly day: number;
    readonly checkedAt: string;
  },
): Promise<void> {
  const scores = tickers.map((_, i) =>
    (i + day) % 20 === 0 ? null : Math.round((i * 7919 + day * 104_729) % 10_000) / 10_000
  );
  const hex = createHash("sha256").update(`${factor} ${day}`).digest("hex");
  const snapshotId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${
    hex.slice(17, 20)
  }-${hex.slice(20, 32)}`;
  const version = `${factor}-v1`;
  await store.putSet({
    factor,
    snapshotId,
    factorVersion: version,
    calculatedAt: checkedAt,
    rows: { tickers, scores },
  });
  const scored = scores.filter((score) => score !== null).length;
  const isEcqdi = factor === "ecqdi";
  const check: Check = {
    factor,
    scoreName: `${factor}_score`,
    universe: "bench",
    factorVersion: version,
    snapshotId,
    calculatedAt: checkedAt,
    lastCheckedAt: checkedAt,
    dataThrough: checkedAt,
    status: "current",
    pricesThrough: checkedAt.slice(0, 10),
    coverage: {
      tickers: TICKERS,
      priceTickersCurrent: TICKERS,
      priceTickersTracked: TICKERS,
      pendingCalls: 0,
      failedCalls: 0,
      scoredTickers: isEcqdi ? scored : null,
      pendingFactorCalls: isEcqdi ? 0 : null,
      extra: {},
    },
    extra: { synthetic: true },
  };
  await store.putCheck({ check, retrievedAt: checkedAt, origin: "bench" });
}

/** The median of a few rounds, in milliseconds. */
async function medianMs(run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    await run();
    times.push(performance.now() - startMs);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) =>
    join(entry.parentPath, entry.name)
  );
}

function say(what: string, ratio: number, unit: string, target: string): void {
  process.stdout.write(
    `${what.padEnd(58)} ${ratio.toFixed(1).padStart(8)} ${unit}  (target ${target})\n`,
  );
}

const temporary = await openTemporaryFolder("bench");
try {
  const store = await makeService(join(temporary.path, "world"));
  const server = createScoreServer({
    store,
    accounts: [{
      id: "bench",
      factors: ["ecpnd", "ecqdi"],
      keys: [{ key: KEY }],
      limits: { requestsPerMinute: 10_000 },
    }],
    clock: { at: at.at(-1)! },
  });
  const folder = join(temporary.path, "study");
  const now = () => Date.parse(at.at(-1)!);
  const recorded = await openStudy(folder, {
    apiKey: KEY,
    fetch: server.fetch,
    now,
    environment: {},
  });
  const panel = await recorded.panel(["ecpnd", "ecqdi"], { at, progress: false });
  await recorded.close();
  const parquet = join(temporary.path, "panel.parquet");
  panel.writeParquet(parquet, { compression: "lz4" });

  const parquetMs = await medianMs(() => pl.scanParquet(parquet).collect());
  const replayMs = await medianMs(async () => {
    await using study = await openStudy(folder, { mode: "frozen", environment: {} });
    await study.panel(["ecpnd", "ecqdi"], { at, progress: false });
  });
  const connectMs = await medianMs(async () => {
    const api = await connect({ apiKey: KEY, fetch: server.fetch, store: join(folder, "store") });
    await api.close();
  });
  const openMs = await medianMs(async () => {
    const study = await openStudy(folder, { mode: "frozen", environment: {} });
    await study.close();
  });
  const files = await filesOf(join(folder, "store"));
  const bareMs = await medianMs(async () => {
    for (const path of files) {
      const bytes = await readFile(path);
      createHash("sha256").update(bytes).digest("hex");
      JSON.parse(bytes.toString("utf8"));
    }
  });
  const verifyMs = await medianMs(async () => {
    const { problems } = await verifyStudy(folder);
    if (problems.length > 0) throw new Error(problems[0]!.says);
  });
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  const storeBytes = sizes.reduce((sum, size) => sum + size, 0);
  const parquetBytes = (await stat(parquet)).size;

  process.stdout.write(
    `${panel.height} rows; Parquet ${parquetMs.toFixed(0)} ms, replay ${
      replayMs.toFixed(0)
    } ms, verify ` +
      `${verifyMs.toFixed(0)} ms, hash and parse ${bareMs.toFixed(0)} ms, store ${
        (storeBytes / 1e6).toFixed(1)
      } MB, ` +
      `Parquet ${(parquetBytes / 1e6).toFixed(1)} MB\n`,
  );
  say("replay of the panel, to a read of one Parquet file", replayMs / parquetMs, "times", "10");
  say("opening without loading, beyond connect()", Math.max(0, openMs - connectMs), "ms", "20");
  say("verify, to hashing and parsing the same files", verifyMs / bareMs, "times", "3");
  say("size of the store, to one Parquet file", storeBytes / parquetBytes, "times", "5");
  await server.close();
} finally {
  temporary.remove();
}
