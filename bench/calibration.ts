/**
 * Measures how often tests reject at 5% where nothing is to be found: `deno task bench calibration [worlds] [all | curves | premia]`.
 *
 * 4,000 worlds of 60 names and 500 sessions with seeds from 1 on. The default has to reject between 3.5 and 6.5% at
 * every horizon, and the naive t has to fail that at horizons of 5 and 21 sessions, else the exit code is 1. With `all` the
 * methods that papers use are measured too. The permutation test has to reject between 3.5 and 6.5% in the worlds whose
 * sectors it knows, and is measured in others. `bestOf()` is measured over 200 variants,
 * and the joint test of `specificationCurve()` over 54 specifications, in the first 2,000 worlds; with `curves` nothing else is. Its
 * median and mean have to reject between 3.5 and 6.5%, too. With `premia` only the default is, in worlds whose premia last. The work is split over workers.
 *
 * @module
 */
import { once } from "node:events";
import process from "node:process";
import { Worker } from "node:worker_threads";
import type { PermutationRejections } from "../test/analysis/calibration/permutation_worlds.ts";
import type { CurveRejections } from "../test/analysis/calibration/curve_worlds.ts";
import type { FamilyRejections } from "../test/analysis/calibration/family_worlds.ts";
import type { Rejections } from "../test/analysis/calibration/rejections.ts";

const WORKERS = 2;
const BATCH = 100;
const MOST_FAMILIES = 2_000;
const [LOW, HIGH] = [3.5, 6.5];
const PERMUTATION_REQUIRED = [
  ...["calls", "minus log price", "persistent, sectors known", "constant, sectors known"],
];
const REQUIRED = ["ewc (the default)", "naive t"];
const worlds = Number(process.argv[2] ?? 4_000);
const tests = process.argv[3] === "all" ? undefined : REQUIRED;
const only = ["curves", "premia"].find((part) => part === process.argv[3]);

if (!Number.isSafeInteger(worlds) || worlds < 1) {
  throw new RangeError(`Cannot calibrate: a number of worlds is required, got ${process.argv[2]}`);
}

const start = performance.now();
const families = new Map<number, FamilyRejections>();
const curves = { worlds: 0, median: 0, significant: 0, mean: 0, any: 0 };
const permutations = new Map<string, PermutationRejections>();
const totals = await measure();
if (only === "premia") reportRejections();
else if (only === "curves") {
  reportCurves();
  process.exitCode = areCurvesRight() ? 0 : 1;
} else report();

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
        const answer = await ask(worker, {
          seeds: batch,
          tests,
          families: batch[1] <= MOST_FAMILIES + 1,
          only,
        });
        for (const part of answer.rejections) add(sums, part);
        for (const part of answer.permutations) addPermutations(part);
        for (const part of answer.families) addFamilies(part);
        for (const part of answer.curves) addCurves(part);
        done += batch[1] - batch[0];
        if (done % 500 === 0) process.stderr.write(`${done} worlds\n`);
      }
    } finally {
      await worker.terminate();
    }
  }));
  return sums;
}

interface Answer {
  readonly rejections: readonly Rejections[];
  readonly permutations: readonly PermutationRejections[];
  readonly families: readonly FamilyRejections[];
  readonly curves: readonly CurveRejections[];
}

async function ask(worker: Worker, question: unknown): Promise<Answer> {
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

function addPermutations({ world, rejected, worlds: made }: PermutationRejections): void {
  const before = permutations.get(world);
  permutations.set(world, {
    world,
    rejected: rejected + (before?.rejected ?? 0),
    worlds: made + (before?.worlds ?? 0),
  });
}

function addFamilies(part: FamilyRejections): void {
  const before = families.get(part.horizon);
  const counted = ["worlds", "stepm", "holm", "stepmFinds", "holmFinds"] as const;
  const sums = counted.map((name) => [name, part[name] + (before?.[name] ?? 0)]);
  families.set(part.horizon, { ...part, ...Object.fromEntries(sums) });
}

function addCurves(part: CurveRejections): void {
  for (const name of ["worlds", "median", "significant", "mean", "any"] as const) {
    curves[name] += part[name];
  }
}

function reportCurves(): void {
  print("Specification curves of 54: joint test by median, significant ones, mean; any alone");
  const shares = [curves.median, curves.significant, curves.mean, curves.any]
    .map((count) => (100 * count / curves.worlds).toFixed(1).padStart(8));
  print(`${`${curves.worlds} worlds`.padEnd(28)}${shares.join("")}`);
}

function reportFamilies(): void {
  print(
    "200 variants of one signal: families in which StepM and Holm find something, and find a planted one",
  );
  for (const { horizon, worlds: made, ...found } of families.values()) {
    const shares = [found.stepm, found.holm, found.stepmFinds, found.holmFinds]
      .map((count) => (100 * count / made).toFixed(1).padStart(8));
    print(`${`h = ${horizon}, ${made} worlds`.padEnd(28)}${shares.join("")}`);
  }
}

function reportRejections(): void {
  const seconds = ((performance.now() - start) / 1_000).toFixed(0);
  const error = 100 * Math.sqrt(0.05 * 0.95 / worlds);
  print(`Rejections at 5% in ${worlds} worlds without a relation, in percent (${seconds} s; the`);
  print(`standard error of 5% is ${error.toFixed(2)} points)`);
  print(`${"".padEnd(28)}${["h = 1", "h = 5", "h = 21"].map((head) => head.padStart(8)).join("")}`);
  for (const test of new Set([...totals.values()].map((sum) => sum.test))) {
    const shares = [1, 5, 21].map((horizon) => shareOf(test, horizon).toFixed(1).padStart(8));
    print(`${test.padEnd(28)}${shares.join("")}`);
  }
}

function report(): void {
  reportRejections();
  const holds = [1, 5, 21].every((horizon) => isRight("ewc (the default)", horizon));
  const canFail = [5, 21].every((horizon) => !isRight("naive t", horizon));
  print("The permutation test, by what the scores are");
  for (const { world } of permutations.values()) {
    print(`${world.padEnd(28)}${permutedShare(world).toFixed(1).padStart(8)}`);
  }
  reportFamilies();
  reportCurves();
  const permutes = PERMUTATION_REQUIRED.every((world) => isWithin(permutedShare(world)));
  print(`It is within ${LOW} to ${HIGH} where it knows the sectors: ${permutes ? "yes" : "NO"}`);
  print(`The default is within ${LOW} to ${HIGH} at every horizon: ${holds ? "yes" : "NO"}`);
  print(
    `The naive t is not, at 5 and 21: ${canFail ? "right" : "WRONG, so this measures nothing"}`,
  );
  process.exitCode = holds && canFail && permutes && areCurvesRight() ? 0 : 1;
}

function areCurvesRight(): boolean {
  return [curves.median, curves.mean].every((count) => isWithin(100 * count / curves.worlds));
}

function shareOf(test: string, horizon: number): number {
  const { rejected, worlds: made } = totals.get(`${test} ${horizon}`)!;
  return 100 * rejected / made;
}

function isRight(test: string, horizon: number): boolean {
  return isWithin(shareOf(test, horizon));
}

function permutedShare(world: string): number {
  const { rejected, worlds: made } = permutations.get(world)!;
  return 100 * rejected / made;
}

function isWithin(share: number): boolean {
  return share >= LOW && share <= HIGH;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
