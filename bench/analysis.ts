/**
 * `deno task bench analysis [sessions] [names] [python] [gaps]`: the kernel and the whole path of a factor analysis, beside
 * pandas with scipy, alphalens and Polars of a Python that has them, on the same files in one run; whole processes beside Polars
 * expressions written by hand, in turn. With `gaps` every
 * fiftieth row is missing, so that no two dates have the same tickers.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import {
  align,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantize,
} from "../src/analysis/mod.ts";
import { listSessionDays } from "../src/base/calendar/list_sessions.ts";
import { analyse, PERIODS, type Timed } from "./_analysis_case.ts";
import { randomOf } from "../test/analysis/_frames.ts";

const [sessions = 250, names = 3_000] = process.argv.slice(2, 4).map(Number);
const python = process.argv[4] ?? "python3";
const hasGaps = process.argv[5] === "gaps";
// What takes minutes is run once by them, and without what only small samples are for.
const isLarge = sessions * names > 2_000_000;
const ROUNDS = isLarge ? 3 : 5;
const THEIR_ROUNDS = isLarge ? 1 : 3;

const folder = mkdtempSync(join(tmpdir(), "scoreframe-bench-"));
const { scores, prices } = makeMarket();
try {
  scores.writeParquet(join(folder, "scores.parquet"));
  prices.writeParquet(join(folder, "prices.parquet"));
  say(`${scores.height} rows of scores, ${prices.height} of prices; ${PERIODS.length} horizons`);
  say(`  load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(", ")}`);
  const ours = bestOf(ROUNDS, () => analyse(scores, prices));
  tell("scoreframe", ours);
  measureWhole();
  anchor(ours);
  const theirs = runPython();
  if (theirs !== null) {
    compare(ours, theirs);
    ratios("scoreframe", ours, theirs);
  }
  say(`  load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(", ")}`);
} finally {
  rmSync(folder, { recursive: true });
}

function tell(who: string, { times, cpu }: Timed): void {
  for (const [what, ms] of Object.entries(times)) {
    say(`  ${who}: ${what.padEnd(15)} ${text(ms)}, ${text(cpu[what]!)} of processors`);
  }
}

/** What alphalens computes, by our functions with compat. */
function compatValues(): Record<string, readonly number[]> {
  const compat = "alphalens";
  const aligned = align(scores, forwardReturns(prices, { periods: PERIODS, compat }), { compat });
  const ic = informationCoefficient(aligned, { compat });
  const means = meanReturnByQuantile(quantize(aligned, { compat }), { compat });
  const meanOf = (horizon: number) =>
    ic.filter(pl.col("horizon").eq(pl.lit(horizon))).getColumn("ic").mean() as number;
  return {
    "alphalens IC": PERIODS.map(meanOf),
    "alphalens means": means.getColumn("mean").toArray() as number[],
  };
}

function bestOf(rounds: number, run: () => Timed): Timed {
  const runs = Array.from({ length: rounds }, run);
  const names = Object.keys(runs[0]!.times);
  const best = names.map((name) => [name, Math.min(...runs.map(({ times }) => times[name]!))]);
  const least = names.map((name) => [name, Math.min(...runs.map(({ cpu }) => cpu[name]!))]);
  return { ...runs[0]!, times: Object.fromEntries(best), cpu: Object.fromEntries(least) };
}

/** Memory and a whole analysis, in processes of their own: a peak is one of a process. */
function measureWhole(): void {
  const script = new URL("./_analysis_case.ts", import.meta.url).pathname;
  for (const what of ["path", ...(isLarge ? [] : ["analysis"])]) {
    const child = spawnSync(process.execPath, ["run", "-A", script, folder, what], {
      encoding: "utf8",
    });
    say(`  ${child.stdout.trim() || child.stderr.trim()}`);
  }
}

/** The whole path beside one written by hand in Polars of Python: whole processes, from their start to their end, in turn. */
function anchor(ours: Timed): void {
  const file = (name: string) => new URL(name, import.meta.url).pathname;
  const ways: Readonly<Record<string, readonly [string, ...string[]]>> = {
    scoreframe: [process.execPath, "run", "-A", file("./_analysis_case.ts"), folder, "path"],
    "Polars by hand": [python, file("./analysis_polars.py"), folder],
  };
  const found = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, [command, ...args]] of Object.entries(ways)) {
      const start = performance.now();
      const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
      if (status !== 0) return say(`  no Python with Polars: ${python}`);
      found.set(name, [...found.get(name) ?? [], performance.now() - start]);
      if (name !== "scoreframe" && round === 0) {
        const off = (JSON.parse(stdout) as number[]).map((ic, i) => ic - ours.values.ic![i]!);
        say(
          `  mean IC differs from Polars by at most ${
            Math.max(...off.map(Math.abs)).toExponential(1)
          }`,
        );
      }
    }
  }
  for (const [name, times] of found) {
    const sorted = times.toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)]!;
    say(`  whole process, ${name}: ${text(sorted[0]!)} at least, ${text(middle)} in the middle`);
  }
}

function compare(ours: Timed, theirs: Timed): void {
  const [mine, other] = [ours.values.ic!, theirs.values.ic!];
  const off = mine.map((value, i) => Math.abs(value - other[i]!));
  say(`  mean IC differs from pandas by at most ${Math.max(...off).toExponential(1)}`);
  for (const [name, values] of Object.entries(compatValues())) {
    const wrong = values.map((value, i) => Math.abs(value / (theirs.values[name]?.[i] ?? NaN) - 1));
    const most = Math.max(...wrong).toExponential(1);
    if (theirs.values[name] !== undefined) {
      say(`  compat: ${name} differ by at most ${most}, relative`);
    }
  }
  for (const [what, ms] of Object.entries(theirs.times)) {
    const own = ours.times[what.replace(/^.*: /, "")];
    const ratio = own === undefined ? "" : `${(ms / own).toFixed(1)} times ours`;
    say(`  ${what.padEnd(26)} ${text(ms)}  ${ratio}`);
  }
}

function ratios(who: string, ours: Timed, theirs: Timed): void {
  for (const kind of ["times", "cpu"] as const) {
    const kernel = (of: Timed["times"]) => of["rank IC"]! + of["quantile means"]! + of.turnover!;
    const of = kind === "times" ? "" : " of processors";
    const [a, b] = [kernel(ours[kind]), kernel(theirs[kind])];
    say(`  kernel, ${who}: ours ${text(a)}, pandas ${text(b)}${of}: ${(b / a).toFixed(1)} times`);
    const [x, y] = [a + ours[kind].align!, b + theirs[kind].align!];
    say(
      `  whole path, ${who}: ours ${text(x)}, pandas ${text(y)}${of}: ${(y / x).toFixed(1)} times`,
    );
  }
}

function runPython(): Timed | null {
  const script = new URL("./analysis_pandas.py", import.meta.url).pathname;
  const wanted = isLarge ? "pandas" : "pandas,alphalens,polars";
  const { status, stdout, stderr } = spawnSync(
    python,
    ["-W", "ignore", script, folder, wanted, String(THEIR_ROUNDS)],
    { encoding: "utf8" },
  );
  if (status === 0) return JSON.parse(stdout) as Timed;
  say(
    `  no Python to compare with (pandas, scipy, pyarrow, alphalens-reloaded, polars): ${python}`,
  );
  say((stderr ?? "").trim().split("\n").at(-1) ?? "");
  return null;
}

function makeMarket(): { scores: DataFrame; prices: DataFrame } {
  const random = randomOf(1);
  const size = sessions * names;
  const market = listSessionDays(15_708, 15_708 + 2 * sessions + 10);
  const [days, tickers] = [new Int32Array(size), new Int32Array(size)];
  const [scores, closes] = [new Float64Array(size), new Float64Array(size)];
  const last = new Float64Array(names).fill(100);
  for (let cell = 0; cell < size; cell++) {
    const [d, name] = [Math.floor(cell / names), cell % names];
    days[cell] = market[d]!;
    tickers[cell] = name;
    last[name] = last[name]! * (1 + 0.04 * (random() - 0.5));
    closes[cell] = last[name]!;
    scores[cell] = random() < 0.08 ? NaN : random();
  }
  const texts = Array.from({ length: names }, (_, name) => `T${String(name).padStart(5, "0")}`);
  const table = pl.DataFrame([
    pl.Series("code", Int32Array.from(texts.keys()), pl.Int32),
    pl.Series("ticker", texts, pl.Utf8),
  ]);
  const kept = pl.Series("kept", Array.from(days, () => !hasGaps || random() > 0.02), pl.Bool);
  const rows = (name: string, values: Float64Array) =>
    pl.DataFrame([
      kept,
      pl.Series("day", days, pl.Int32),
      pl.Series("code", tickers, pl.Int32),
      pl.Series(name, values, pl.Float64),
    ]).filter(pl.col("kept")).join(table, { on: "code", how: "left" }).select(
      pl.col("day").cast(pl.Date).alias("date"),
      "ticker",
      pl.when(pl.col(name).isNan()).then(pl.lit(null)).otherwise(pl.col(name)).alias(name),
    );
  return { scores: rows("score", scores), prices: rows("close", closes) };
}

function text(ms: number): string {
  return `${ms.toFixed(0).padStart(6)} ms`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
