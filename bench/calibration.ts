/**
 * Measures how often tests reject at 5 % where nothing is to be found: `deno task bench calibration [worlds] [all]`.
 *
 * 4,000 worlds of 60 names and 500 sessions with seeds from 1 on. The default has to reject between 3.5 and 6.5 % at
 * every horizon, and the naive t has to fail that at horizons of 5 and 21 sessions, else the exit code is 1. With `all` the
 * methods that papers use are measured too. The work is split over workers.
 *
 * @module
 */
import { once } from "node:events";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { Rejections } from "../test/analysis/calibration/rejections.ts";

const WORKERS = 2;
const BATCH = 100;
const [LOW, HIGH] = [3.5, 6.5];
const REQUIRED = ["ewc (the default)", "naive t"];
const worlds = Number(process.argv[2] ?? 4_000);
const tests = process.argv[3] === "all" ? undefined : REQUIRED;

if (!Number.isSafeInteger(worlds) || worlds < 1) {
  throw new RangeError(`Cannot calibrate: a number of worlds is required, got ${process.argv[2]}`);
}

const start = performance.now();
const totals = await measure();
report();

async function measure(): Promise<ReadonlyMap<string, Rejections>> {
  const batches = Array.from(
    { length: Math.ceil(worlds / BATCH) },
    (_, k) => [1 + k * BATCH, 1 + Math.min(worlds, (k + 1) * BATCH)] as const,
  );
  const sums = new Map<string, Rejections>();
  let done = 0;
  await Promise.all(Array.from({ length: WORKERS }, async () => {
    const worker = new Worker(new URL("./_calibration_worker.ts", import.meta.url));
    try {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        for (const part of await ask(worker, { seeds: batch, tests })) add(sums, part);
        done += batch[1] - batch[0];
        if (done % 500 === 0) process.stderr.write(`${done} worlds\n`);
      }
    } finally {
      await worker.terminate();
    }
  }));
  return sums;
}

async function ask(worker: Worker, question: unknown): Promise<readonly Rejections[]> {
  worker.postMessage(question);
  // An error of the worker rejects as well.
  const [answer] = await once(worker, "message");
  return answer;
}

function add(sums: Map<string, Rejections>, part: Rejections): void {
  const key = `${part.test} ${part.horizon}`;
  const { rejected, worlds: made } = sums.get(key) ?? { rejected: 0, worlds: 0 };
  const sum = { rejected: rejected + part.rejected, worlds: made + part.worlds };
  sums.set(key, { ...part, ...sum });
}

function report(): void {
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  const error = 100 * Math.sqrt(0.05 * 0.95 / worlds);
  print(`Rejections at 5 % in ${worlds} worlds without a relation, in percent (${seconds} s; the`);
  print(`standard error of 5 % is ${error.toFixed(2)} points)`);
  print(`${"".padEnd(28)}${["h = 1", "h = 5", "h = 21"].map((head) => head.padStart(8)).join("")}`);
  for (const test of new Set([...totals.values()].map((sum) => sum.test))) {
    const shares = [1, 5, 21].map((horizon) => shareOf(test, horizon).toFixed(1).padStart(8));
    print(`${test.padEnd(28)}${shares.join("")}`);
  }
  const holds = [1, 5, 21].every((horizon) => isRight("ewc (the default)", horizon));
  const canFail = [5, 21].every((horizon) => !isRight("naive t", horizon));
  print(`The default is within ${LOW} to ${HIGH} at every horizon: ${holds ? "yes" : "NO"}`);
  print(
    `The naive t is not, at 5 and 21: ${canFail ? "right" : "WRONG, so this measures nothing"}`,
  );
  process.exitCode = holds && canFail ? 0 : 1;
}

function shareOf(test: string, horizon: number): number {
  const { rejected, worlds: made } = totals.get(`${test} ${horizon}`)!;
  return 100 * rejected / made;
}

function isRight(test: string, horizon: number): boolean {
  const share = shareOf(test, horizon);
  return share >= LOW && share <= HIGH;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
