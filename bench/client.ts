/**
 * Measures the client: from bytes to a validated frame beside the careless ways, the cost of importing, a panel over a
 * year of checks, and the price of one exchange.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { connect } from "../src/client/connect.ts";
import { readScoreAnswer } from "../src/client/scores/request_json.ts";
import { instantOf } from "../src/base/contract/instant.ts";
import { toScoreFrame } from "../src/frames/frame/score_frame.ts";
import { createScoreServer } from "../src/server/mod.ts";
import { openLedger } from "../src/client/transport/allowance/ledger.ts";
import { buildWorld } from "../src/server/world/mod.ts";
import { benchPython } from "./_python.ts";

const KEY = "svc_test_benchmark0123";
const HOUR_MS = 3_600_000;
const folder = await mkdtemp(join(tmpdir(), "scoreframe-bench-client-"));
try {
  print("From response bytes to a frame (median ms, interleaved)");
  for (const tickers of [3_000, 10_000]) await benchFrames(tickers);
  print("\nImport in a fresh process (least processor time of 15)");
  benchImports();
  print("\nPanel of 250 daily instants over a year of hourly checks");
  await benchPanel();
  print("\nOne exchange (least of 9 rounds of 50; clock, and processor)");
  await benchExchange();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchFrames(tickers: number): Promise<void> {
  const { body, headers } = await responseOf(tickers);
  const query = {
    factor: "ecpnd",
    view: { kind: "latest" },
    ticker: null,
    format: "json",
  } as const;
  const receipt = { source: "live", retrievedAt: "2026-11-20T15:00:05.000Z" } as const;
  const clock = { now: Date.now, sleep: () => Promise.resolve(), random: () => 0 };
  const plain = { redact: (text: string) => text, clock };
  const careful = () =>
    toScoreFrame(readScoreAnswer(query, { body, headers, requestId: null }, plain), receipt);
  const careless = () => carelessFrame(body);
  if (
    !careful().select("ticker", "ecpnd_score").frameEqual(
      careless().select("ticker", "ecpnd_score"),
    )
  ) {
    throw new Error("the two frames differ");
  }
  const [carefulMs, carelessMs, pandasMs] = await alternate([careful, careless], body);
  print(
    `  ${tickers} tickers: validated, with provenance ${ms(carefulMs)}; careless in Polars ` +
      `${ms(carelessMs)} (${ratio(carelessMs, carefulMs)}); careless in pandas ` +
      `${pandasMs === null ? "not installed" : `${ms(pandasMs)} (${ratio(pandasMs, carefulMs)})`}`,
  );
}

// What a notebook does without a library: nothing is checked, provenance as literals.
function carelessFrame(body: Uint8Array) {
  const set = JSON.parse(new TextDecoder().decode(body));
  const literals = [
    "factor",
    "factor_version",
    "universe",
    "snapshot_id",
    "calculated_at",
    "last_checked_at",
    "data_through",
    "status",
    "prices_through",
  ].map((name) => pl.lit(set[name]).alias(name));
  return pl.readRecords(set.scores, { schema: { ticker: pl.Utf8, ecpnd_score: pl.Float64 } })
    .withColumns(...literals, pl.lit("live").alias("source"), pl.lit("now").alias("retrieved_at"));
}

async function responseOf(tickers: number) {
  const world = await buildWorld(join(folder, `w${tickers}`), { tickers, years: 0.1, hours: 2 });
  const server = createScoreServer({ store: world.store, accounts: [account()] });
  server.clock.set("2026-11-20T15:00:05Z");
  const response = await server.fetch(request("/v1/scores?factor=ecpnd"));
  const body = new Uint8Array(await response.arrayBuffer());
  await server.close();
  return { body, headers: response.headers };
}

// Python cannot run in this process: short runs of both alternate, so that a busy machine is busy for both.
async function alternate(
  functions: readonly (() => unknown)[],
  body: Uint8Array,
): Promise<[number, number, number | null]> {
  const rounds: (number | null)[][] = [[], [], []];
  for (let i = 0; i < 5; i++) {
    const times = [...await medians(functions, 20), await pandasMedian(body)];
    times.forEach((time, k) => rounds[k]!.push(time));
  }
  const known = rounds.map((times) => times.filter((time) => time !== null));
  const [careful = NaN, careless = NaN] = known.map(median);
  return [careful, careless, known[2]!.length === 0 ? null : median(known[2]!)];
}

async function pandasMedian(body: Uint8Array): Promise<number | null> {
  const path = join(folder, "body.json");
  await writeFile(path, body);
  const script = `
import json, statistics, sys, time
import pandas as pd
raw = open(sys.argv[1], "rb").read()
times = []
for _ in range(25):
    start = time.perf_counter()
    s = json.loads(raw)
    names = ["factor", "factor_version", "universe", "snapshot_id", "calculated_at",
             "last_checked_at", "data_through", "status", "prices_through"]
    f = pd.DataFrame(s["scores"]).assign(**{n: s[n] for n in names}, source="live", retrieved_at="now")
    times.append((time.perf_counter() - start) * 1000)
print(statistics.median(times))
`;
  try {
    const output = execFileSync(benchPython(), ["-c", script, path], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number(output);
  } catch {
    // Without pandas its column stays empty.
    return null;
  }
}

// Measured inside a fresh process each time, so that the start of the runtime does not count. A busy machine changes the
// processor's time least. A name that stands in the call is read before the process looks at its clock; one that does not,
// as in a notebook, is read within the call.
function benchImports(): void {
  const root = new URL("../", import.meta.url).pathname;
  const importMs = (call: string) => {
    const code = `import process from "node:process"; const before = process.cpuUsage(); ` +
      `await import(${call}); const { user, system } = process.cpuUsage(before); ` +
      "console.log((user + system) / 1000)";
    return Number(execFileSync(process.execPath, ["eval", code], { cwd: root }));
  };
  const calls = ["nodejs-polars", "scoreframe"].flatMap((name) => [`"${name}"`, `["${name}"][0]`]);
  const times = calls.map((): number[] => []);
  for (let i = 0; i < 15; i++) calls.forEach((call, k) => times[k]!.push(importMs(call)));
  const [polars = NaN, polarsRead = NaN, library = NaN, libraryRead = NaN] = times.map((each) =>
    Math.min(...each)
  );
  print(
    `  nodejs-polars ${ms(polars)}; scoreframe, which loads it too, ${ms(library)} ` +
      `(${(library / polars).toFixed(2)} times Polars alone); with the reading of the modules ` +
      `${ms(polarsRead)} and ${ms(libraryRead)} (${(libraryRead / polarsRead).toFixed(2)} times)`,
  );
}

async function benchPanel(): Promise<void> {
  const world = await buildWorld(join(folder, "year"), { tickers: 30, years: 0.1, hours: 8_760 });
  const server = createScoreServer({ store: world.store, accounts: [account()] });
  const endMs = Date.parse("2026-11-20T15:00:05Z");
  server.clock.set(instantOf(endMs));
  const api = await connect({ apiKey: KEY, fetch: server.fetch, now: () => endMs });
  const at = Array.from({ length: 250 }, (_, i) => instantOf(endMs - i * 24 * HOUR_MS));
  const from = performance.now();
  const panel = await api.panel("ecpnd", { at, progress: false });
  const firstMs = performance.now() - from;
  const requests = server.journal.total;
  const again = performance.now();
  await api.panel("ecpnd", { at, progress: false });
  const sets = panel.getColumn("snapshot_id").nUnique();
  print(
    `  ${panel.height} rows from ${sets} sets: ${requests} requests, ${ms(firstMs)}; ` +
      `again ${server.journal.total - requests} requests, ${ms(performance.now() - again)}`,
  );
  await api.close();
  await server.close();
}

async function benchExchange(): Promise<void> {
  const world = await buildWorld(join(folder, "small"), { hours: 240 });
  // An account that somebody else spends as well makes each answer news, which the ledger keeps at the price of a flush.
  const accounts = [account(), account("socket"), account("bare")];
  const server = createScoreServer({ store: world.store, accounts });
  const endMs = Date.parse("2026-11-20T15:00:05Z");
  server.clock.set(instantOf(endMs));
  const { url } = await server.listen();
  const now = () => endMs;
  const inProcess = await connect({ apiKey: KEY, fetch: server.fetch, now });
  const onSocket = await connect({
    apiKey: keyOf("socket"),
    baseUrl: url,
    cacheDir: join(folder, "cache"),
    now,
  });
  const bare = { headers: { Authorization: `Bearer ${keyOf("bare")}` } };
  const ledger = await openLedger(join(folder, "ledger.sqlite"));
  const write = (durable: boolean) =>
    ledger.update((state) => ({ state: { ...state }, result: null }), { durable });
  const [a, b, c, d, e] = await leastTimes([
    () => inProcess.factors(),
    () => onSocket.factors(),
    async () => await (await fetch(`${url}/v1/factors`, bare)).text(),
    () => write(true),
    () => write(false),
  ]) as [Cost, Cost, Cost, Cost, Cost];
  const timesBare = ({ clockMs, cpuMs }: Cost) =>
    `${(clockMs / c.clockMs).toFixed(2)} times by the clock, ${
      (cpuMs / c.cpuMs).toFixed(2)
    } by the processor`;
  print(
    `  in process, ledger in memory ${costText(a)}; over a socket, ledger on disk ${
      costText(b)
    }; bare ` +
      `fetch over the same socket ${costText(c)}: ${
        timesBare(b)
      }\n  of it the ledger: one change that ` +
      `waits for the disk ${costText(d)}, one that does not ${costText(e)}`,
  );
  ledger.close();
  await Promise.all([inProcess.close(), onSocket.close()]);
  await server.close();
}

function account(id = "bench") {
  const limits = { requestsPerMinute: 1e9, requestsPerDay: 1e9 };
  return { id, factors: ["ecpnd", "ecqdi"], keys: [{ key: keyOf(id) }], limits } as const;
}

function keyOf(id: string): string {
  return id === "bench" ? KEY : `svc_test_${id}0123456789`;
}

function request(path: string): Request {
  return new Request(`http://127.0.0.1${path}`, { headers: { Authorization: `Bearer ${KEY}` } });
}

interface Cost {
  readonly clockMs: number;
  readonly cpuMs: number;
}

/** Runs the functions in turn, 50 times each, and gives the least cost of one call: a busy machine changes it least. */
async function leastTimes(functions: readonly (() => unknown)[]): Promise<Cost[]> {
  const times = 50;
  const least = functions.map(() => ({ clockMs: Infinity, cpuMs: Infinity }));
  for (let round = 0; round < 9; round++) {
    for (const [k, run] of functions.entries()) {
      const [from, before] = [performance.now(), process.cpuUsage()];
      for (let i = 0; i < times; i++) await run();
      const { user, system } = process.cpuUsage(before);
      const { clockMs, cpuMs } = least[k]!;
      least[k] = {
        clockMs: Math.min(clockMs, (performance.now() - from) / times),
        cpuMs: Math.min(cpuMs, (user + system) / 1000 / times),
      };
    }
  }
  return least;
}

function costText({ clockMs, cpuMs }: Cost): string {
  return `${ms(clockMs)} (${ms(cpuMs)})`;
}

/** Runs the functions in turn and gives the median time of each. */
async function medians(functions: readonly (() => unknown)[], rounds: number): Promise<number[]> {
  const times = functions.map((): number[] => []);
  for (let i = -5; i < rounds; i++) {
    for (const [k, run] of functions.entries()) {
      const from = performance.now();
      await run();
      if (i >= 0) times[k]!.push(performance.now() - from);
    }
  }
  return times.map(median);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function ms(duration: number): string {
  return `${duration.toFixed(duration < 10 ? 2 : 0)} ms`;
}

function ratio(other: number, own: number): string {
  return `${(other / own).toFixed(2)} times the time`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
