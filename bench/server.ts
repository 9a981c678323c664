/**
 * What the embedded server can bear: `deno task bench server`.
 *
 * One run, one table: throughput and latency of the latest JSON of 3,000 tickers beside a bare `Deno.serve` that
 * returns the same bytes and beside a Stoplight Prism mock that returns them too; memory over 200,000 requests; start-up and `at` over a
 * store with a year of hourly checks. `--quick` leaves Prism and the long run out.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { buildWorld } from "../src/server/world/mod.ts";

const KEY = "svc_test_benchmark";
const HEADERS = { Authorization: `Bearer ${KEY}` };
const OPENAPI = new URL("../src/base/contract/openapi.json", import.meta.url).pathname;
const TARGET = new URL("./_server_target.ts", import.meta.url).pathname;
const LATEST = "/v1/scores";
const quick = process.argv.includes("--quick");
const folder = await mkdtemp(join(tmpdir(), "scoreframe-bench-server-"));
const children: ChildProcess[] = [];

interface Load {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

try {
  await main();
} finally {
  for (const child of children) stop(child);
  await rm(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const store = join(folder, "world");
  await buildWorld(store, { tickers: 3000, years: 0.25, hours: 48 });
  const api = await startTarget("api", store, join(folder, "state"));
  const body = new Uint8Array(
    await (await fetch(api.url + LATEST, { headers: HEADERS })).arrayBuffer(),
  );
  const file = join(folder, "latest.json");
  await writeFile(file, body);
  const bare = await startTarget("bare", file, "");
  print(`latest JSON of 3,000 tickers: ${body.length} bytes, ${generator()}, 4 connections`);
  const prism = quick ? null : await startPrism(await mockOf(body));
  const loads = { api: [] as Load[], bare: [] as Load[], prism: [] as Load[] };
  // Taken in turns, so that what else the machine does falls on all alike.
  for (let round = 0; round < 5; round++) {
    loads.api.push(await load(api.url + LATEST, 3));
    loads.bare.push(await load(bare.url, 3));
    if (prism !== null) loads.prism.push(await load(prism + LATEST, 3));
  }
  const ours = median(loads.api);
  const floor = median(loads.bare);
  printLoad("scoreframe, every check, durable ledger", ours);
  printLoad("bare Deno.serve, the same bytes", floor);
  if (prism !== null) {
    const mock = median(loads.prism);
    printLoad("Stoplight Prism mock, the same body", mock);
    printRatio("times Prism", ours.requestsPerSecond / mock.requestsPerSecond, 8);
  }
  printRatio("of bare Deno.serve", ours.requestsPerSecond / floor.requestsPerSecond, 0.4);
  if (!quick) await measureMemory(api);
  if (!quick) await measureStart();
  await measureYear();
}

/** Peak resident memory of the server, before and after 200,000 requests. */
async function measureMemory(api: Target): Promise<void> {
  const sizes = [await residentMiB(api.pid)];
  let served = 0;
  while (served < 200_000) {
    const { requestsPerSecond } = await load(api.url + LATEST, 10);
    served += requestsPerSecond * 10;
    sizes.push(await residentMiB(api.pid));
  }
  print(`memory over ${Math.round(served)} more requests: ${sizes.map(Math.round).join(", ")} MiB`);
}

/** Start-up over the store of the full world: ten years of releases, a month of hourly checks of 3,000 tickers. */
async function measureStart(): Promise<void> {
  const store = join(folder, "full");
  await buildWorld(store, { size: "full", hours: 720 });
  const started = performance.now();
  const api = await startTarget("api", store, join(folder, "full-state"));
  await (await fetch(api.url + LATEST, { headers: HEADERS })).arrayBuffer();
  const tookMs = performance.now() - started;
  print(`full world: process, start-up and first answer in ${ms(tookMs)}; the bar is 500 ms`);
}

/** Start-up and one `at` request over a store with 8,760 hourly checks. */
async function measureYear(): Promise<void> {
  const store = join(folder, "year");
  await buildWorld(store, { tickers: 40, years: 0.25, hours: 8760 });
  const started = performance.now();
  const api = await startTarget("api", store, join(folder, "year-state"));
  const up = performance.now();
  await (await fetch(api.url + LATEST, { headers: HEADERS })).arrayBuffer();
  const first = performance.now();
  print(
    `a year of hourly checks: process up in ${ms(up - started)}, first answer after ${
      ms(first - up)
    }`,
  );
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const at = new Date(Date.UTC(2026, 0, 1) + i * 1.5 * 86_400_000).toISOString();
    const before = performance.now();
    await (await fetch(`${api.url}${LATEST}?at=${at}`, { headers: HEADERS })).arrayBuffer();
    times.push(performance.now() - before);
  }
  times.sort((a, b) => a - b);
  print(
    `200 different \`at\` requests over it: median ${ms(times[100] ?? 0)}, worst ${
      ms(times[199] ?? 0)
    }`,
  );
}

interface Target {
  readonly url: string;
  readonly pid: number;
}

function startTarget(kind: string, path: string, state: string): Promise<Target> {
  const args = ["run", "-A", "--no-check", TARGET, kind, path, state];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return new Promise((resolve) =>
    child.stdout.on("data", (data) => resolve({ url: String(data).trim(), pid: child.pid! }))
  );
}

/** The API's OpenAPI document with the measured body as the example that a mock returns. */
async function mockOf(body: Uint8Array): Promise<string> {
  const document = JSON.parse(await readFile(OPENAPI, "utf8"));
  const { content } = document.paths[LATEST].get.responses["200"];
  content["application/json"].example = JSON.parse(new TextDecoder().decode(body));
  const path = join(folder, "openapi.json");
  await writeFile(path, JSON.stringify(document));
  return path;
}

async function startPrism(document: string): Promise<string> {
  const port = await freePort();
  const args = ["--yes", "@stoplight/prism-cli@5.16.0", "mock", document, "--port", String(port)];
  // npx runs Prism as a child of its own: the whole group has to end.
  const child = spawn("npx", [...args, "--verboseLevel", "silent"], { detached: true });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 240; i++) {
    const up = await fetch(url + LATEST, { headers: HEADERS }).then(
      (r) => r.arrayBuffer(),
      () => null,
    );
    if (up !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return url;
}

function generator(): string {
  return spawnSync("wrk", ["-v"]).error === undefined ? "wrk" : "autocannon";
}

async function load(url: string, seconds: number): Promise<Load> {
  return generator() === "wrk" ? await runWrk(url, seconds) : await runAutocannon(url, seconds);
}

async function runWrk(url: string, seconds: number): Promise<Load> {
  const args = [
    "-t1",
    "-c4",
    `-d${seconds}s`,
    "--latency",
    "-H",
    `Authorization: ${HEADERS.Authorization}`,
  ];
  const text = await output("wrk", [...args, url]);
  if (/Non-2xx/.test(text)) throw new Error(`Cannot measure ${url}: ${text}`);
  const percentile = (name: string) => {
    const [, value = "0", unit = "ms"] = new RegExp(`${name}%\\s+([\\d.]+)(us|ms|s)`).exec(text) ??
      [];
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as "us" | "ms" | "s"];
  };
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p50Ms: percentile("50"),
    p99Ms: percentile("99"),
  };
}

async function runAutocannon(url: string, seconds: number): Promise<Load> {
  const args = ["--yes", "autocannon@8.0.0", "-c", "4", "-d", String(seconds), "--json"];
  const text = await output("npx", [...args, "-H", `Authorization=${HEADERS.Authorization}`, url]);
  const { requests, latency } = JSON.parse(text);
  return { requestsPerSecond: requests.average, p50Ms: latency.p50, p99Ms: latency.p99 };
}

function output(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.on("data", (data) => text += data);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
}

function stop(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(child.spawnfile === "npx" ? -child.pid : child.pid, "SIGTERM");
  } catch {
    // It has ended already.
  }
}

function median(loads: readonly Load[]): Load {
  const sorted = [...loads].sort((a, b) => a.requestsPerSecond - b.requestsPerSecond);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function printLoad(name: string, { requestsPerSecond, p50Ms, p99Ms }: Load): void {
  const rate = Math.round(requestsPerSecond).toLocaleString("en").padStart(8);
  print(`  ${name.padEnd(42)} ${rate} requests/s   p50 ${ms(p50Ms)}   p99 ${ms(p99Ms)}`);
}

function printRatio(name: string, ratio: number, bar: number): void {
  print(`  ${ratio.toFixed(2)} ${name}; ${ratio >= bar ? "holds" : "MISSES"} the bar of ${bar}`);
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
