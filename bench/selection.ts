/**
 * Searches among many variants: `deno task bench selection [variants] [names]`.
 *
 * `bestOf()` over 200 variants of 2,520 sessions with 2,000 draws beside PyPI's `arch` (StepM, whose statistics have no unit), at
 * horizons 1, 5 and 21; both state processor seconds. Then a specification curve of 432 choices over 2,520 sessions of 400 names.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import { bestOf, specificationCurve } from "../src/analysis/mod.ts";
import { randomSource } from "../src/analysis/inference/bootstrap.ts";
import { benchPython } from "./_python.ts";

const SESSIONS = 2_520;
const DRAWS = 2_000;
const VARIANTS = Number(process.argv[2] ?? 200);
const NAMES = Number(process.argv[3] ?? 400);
const DATES = Array.from(
  { length: SESSIONS },
  (_, d) => new Date(Date.UTC(2014, 0, 6) + (7 * Math.floor(d / 5) + d % 5) * 86_400_000),
);
const ARCH = `
import sys, time, numpy as np
from arch.bootstrap import StepM
n, k, h, block, draws = (int(float(text)) for text in sys.argv[1:])
rng = np.random.default_rng(1)
e = rng.standard_normal((n + h, 1)) + rng.standard_normal((n + h, k))
c = np.cumsum(e, 0)
x = (c[h:] - c[:-h]) / h
start = time.process_time()
StepM(np.zeros(n), -x, size=0.05, block_size=block, reps=draws, seed=1).compute()
print(time.process_time() - start)
`;

for (const horizon of [1, 5, 21]) compareWithArch(horizon);
await measureCurve();

function compareWithArch(horizon: number): void {
  const variants = Object.fromEntries(
    Array.from({ length: VARIANTS }, (_, k) => [`v${k}`, noise(k, horizon)]),
  );
  const start = processorSeconds();
  const { tables: { test } } = bestOf(variants, { horizon, draws: DRAWS });
  const ours = processorSeconds() - start;
  const block = Math.round(Number(test.getColumn("block").get(0)));
  const words = [SESSIONS, VARIANTS, horizon, block, DRAWS].map(String);
  const theirs = Number(
    execFileSync(benchPython(), ["-c", ARCH, ...words], { encoding: "utf8" }),
  );
  print(
    `bestOf, ${VARIANTS} variants, horizon ${horizon}, blocks of ${block}: ${
      ours.toFixed(2)
    } s; arch ${theirs.toFixed(2)} s, ${(theirs / ours).toFixed(1)} times as long`,
  );
}

/** Means over the horizon of noise that is in part the same for all variants. */
function noise(seed: number, horizon: number): DataFrame {
  const [own, common] = [randomSource(seed + 2), randomSource(1)];
  const steps = Array.from(
    { length: SESSIONS + horizon },
    () => own.uniform() + common.uniform() - 1,
  );
  let sum = steps.slice(0, horizon).reduce((all, step) => all + step, 0);
  const values = DATES.map((_, d) => {
    const value = sum / horizon;
    sum += steps[d + horizon]! - steps[d]!;
    return value;
  });
  return pl.DataFrame([
    pl.Series("session", DATES, pl.Date),
    pl.Series("ic", values, pl.Float64),
  ]);
}

async function measureCurve(): Promise<void> {
  const random = randomSource(1);
  const closes = Array.from({ length: NAMES }, () => 100);
  const cells = DATES.flatMap((date) => closes.map((_, name) => ({ date, name })));
  const column = (name: string, read: (cell: { readonly name: number }) => number) =>
    pl.DataFrame([
      pl.Series("date", cells.map(({ date }) => date), pl.Date),
      pl.Series("ticker", cells.map((cell) => `T${cell.name}`), pl.Utf8),
      pl.Series(name, cells.map(read), pl.Float64),
    ]);
  const scores = column("score", () => random.uniform());
  const prices = column(
    "close",
    ({ name }) => closes[name]! *= 1 + 0.04 * (random.uniform() - 0.5),
  );
  const groups = pl.DataFrame({
    ticker: closes.map((_, name) => `T${name}`),
    group: closes.map((_, name) => `g${name % 11}`),
  });
  const [start, clock] = [processorSeconds(), performance.now()];
  const { table, text } = await specificationCurve(scores, prices, {
    ...{ groups, calendar: "own", entry: ["next", "same"] },
    periods: { all: {}, late: { from: "2019-01-01" } },
  });
  print(
    `specificationCurve, ${table.height} choices over ${cells.length} rows: ${
      ((performance.now() - clock) / 1_000).toFixed(1)
    } s, ${(processorSeconds() - start).toFixed(1)} s of processors`,
  );
  print(text);
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
