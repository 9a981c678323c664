/**
 * One measurement of `bench/history.ts` in a process of its own, printed as one line of JSON.
 *
 * @module
 */
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { connect } from "../mod.ts";

const [name = "", store = "", path = "", baseUrl = ""] = process.argv.slice(2);

const SCHEMA = { date: pl.Date, ticker: pl.Categorical, ecpnd_score: pl.Float64 };
const KEY = "svc_test_bench0123456789";

/** What is measured; what the work returns is kept alive until its memory was read. */
interface Case {
  work(): Promise<unknown>;
  /** Waits for what the work left to be done behind the caller's back, which counts as memory, not as time. */
  settle?(): Promise<void>;
}

const CASES: Record<string, () => Promise<Case>> = {
  // What anybody would write: nothing is verified.
  scan: () =>
    Promise.resolve({
      work: () => pl.scanCSV(path, { schema: SCHEMA, glob: false }).collect(),
    }),
  load: () => loaded("text"),
  categorical: () => loaded("categorical"),
  lazy: async () => {
    const api = await connect({ apiKey: KEY, store, fetch: refuse });
    return { work: () => api.history("ecpnd", { offline: true, lazy: true }) };
  },
  ticker: () => filtered((lazy) => lazy.filter(pl.col("ticker").eq(pl.lit("BRK.B")))),
  year: () =>
    filtered((lazy) =>
      lazy.filter(
        pl.col("date").gtEq(dateOf("2019-01-01")).and(pl.col("date").lt(dateOf("2020-01-01"))),
      )
    ),
  download: async () => {
    const empty = await mkdtemp(join(tmpdir(), "scoreframe-bench-client-"));
    process.once("exit", () => rmSync(empty, { recursive: true }));
    const api = await connect({ apiKey: KEY, baseUrl, store: empty, cacheDir: empty });
    // The first request of a process also loads undici, which is no part of a download.
    await api.factors();
    const work = async () => rowsOf(await api.history("ecpnd", { progress: false }));
    return { work, settle: () => api.close() };
  },
};

await main();

async function main(): Promise<void> {
  const { work, settle } = await CASES[name]!();
  const before = memory("VmRSS");
  const beat = watchEventLoop();
  const start = performance.now();
  const kept = await work();
  const ms = performance.now() - start;
  const handedOutBytes = memory("VmHWM") - before;
  await settle?.();
  const blockedMs = await beat.stop();
  const peakBytes = memory("VmHWM") - before;
  const result = { ms, blockedMs, handedOutBytes, peakBytes, kept: kept !== null };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}

async function loaded(tickers: "text" | "categorical"): Promise<Case> {
  const api = await connect({ apiKey: KEY, store, fetch: refuse });
  const work = async () => rowsOf(await api.history("ecpnd", { offline: true, tickers }));
  return { work, settle: () => api.close() };
}

async function filtered(query: (lazy: LazyDataFrame) => LazyDataFrame): Promise<Case> {
  const api = await connect({ apiKey: KEY, store, fetch: refuse });
  const lazy = await api.history("ecpnd", { offline: true, lazy: true });
  return { work: async () => rowsOf(await query(lazy).collect()) };
}

function rowsOf(frame: DataFrame): DataFrame {
  if (frame.height === 0) {
    throw new Error(`Cannot measure ${name}: rows are required, there are none`);
  }
  return frame;
}

function dateOf(text: string): pl.Expr {
  return pl.lit(new Date(text)).cast(pl.Date);
}

function refuse(): never {
  throw new Error("Cannot measure from disk: nothing may be sent");
}

function memory(field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** The longest time for which a timer that wanted to run every millisecond could not. */
function watchEventLoop(): { stop(): Promise<number> } {
  let longest = 0;
  let last = performance.now();
  const beat = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(beat, 1);
  return {
    stop: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      clearInterval(timer);
      return longest;
    },
  };
}
