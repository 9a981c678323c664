// @heavy: engines in Java and Python
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  align,
  alphaBeta,
  cumulativeReturns,
  factorReturns,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  portfolioReturns,
  quantileSpread,
  quantileTurnover,
  quantize,
  type QuantizeOptions,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const PYTHON = join(ROOT, ".scoreframe/venv/bin/python");
const LONG_MS = 600_000;

// Where everything is tested it has to be there; elsewhere it is said that something was left out.
const isMissing = !hasAlphalens();
if (isMissing && !process.env.CI) {
  process.stderr.write(
    `SKIPPED: the comparison with the installed alphalens needs it in ${PYTHON}; make it by ` +
      "python3 -m venv .scoreframe/venv && .scoreframe/venv/bin/pip install -r .ci/requirements.txt\n",
  );
}

type Cell = readonly [key: string, horizon: number, value: number | null];

interface Theirs {
  readonly rows: number;
  readonly tables: Readonly<Record<string, readonly Cell[]>>;
}

interface Market {
  readonly scores: DataFrame;
  readonly prices: DataFrame;
  readonly groups: DataFrame;
}

interface Case {
  readonly what: string;
  readonly seed: number;
  /** To how many steps the scores are rounded: few steps make ties, which cost alphalens whole sessions. */
  readonly steps: number;
  readonly options: QuantizeOptions;
  /** The same for alphalens. */
  readonly how: Readonly<Record<string, unknown>>;
}

const CASES: readonly Case[] = [
  { what: "fifths", seed: 1, steps: 10_000, options: { quantiles: 5 }, how: { quantiles: 5 } },
  { what: "fifths of tied scores", seed: 2, steps: 80, options: {}, how: { quantiles: 5 } },
  {
    what: "thirds within groups",
    seed: 3,
    steps: 10_000,
    options: { quantiles: 3, by: "group" },
    how: { quantiles: 3, binning_by_group: true },
  },
  {
    what: "bins of one width",
    seed: 4,
    steps: 20,
    options: { bins: 4 },
    how: { quantiles: null, bins: 4 },
  },
];

const compat = "alphalens" as const;
const flags = [
  { demeaned: true, adjust: false, equal: false },
  { demeaned: true, adjust: true, equal: false },
  { demeaned: true, adjust: false, equal: true },
  { demeaned: false, adjust: true, equal: true },
].map((own) => ({ ...own, name: Object.values(own).join() }));
const theirs = new Map<string, Theirs>();
let folder: string;

beforeAll(async () => {
  if (isMissing && !process.env.CI) return;
  folder = await mkdtemp(join(tmpdir(), "scoreframe-alphalens-"));
  const given = CASES.flatMap(({ what, seed, steps, how }) => {
    const path = join(folder, String(seed));
    mkdirSync(path);
    const market = makeMarket(seed, steps);
    market.scores.writeCSV(join(path, "factor.csv"));
    market.prices.writeCSV(join(path, "prices.csv"));
    market.groups.writeCSV(join(path, "groups.csv"));
    theirs.set(what, { rows: 0, tables: {} });
    return [path, JSON.stringify(how)];
  });
  const script = join(import.meta.dirname!, "run_installed.py");
  const options = { encoding: "utf8", maxBuffer: 1 << 28, stdio: "pipe" } as const;
  const found = JSON.parse(execFileSync(PYTHON, ["-W", "ignore", script, ...given], options));
  for (const { what, seed } of CASES) theirs.set(what, found[join(folder, String(seed))]);
}, LONG_MS);
afterAll(() => folder === undefined ? undefined : rm(folder, { recursive: true, force: true }));

describe.skipIf(isMissing && !process.env.CI).each([...CASES])(
  "compat beside the installed alphalens: $what",
  ({ what, seed, steps, options }) => {
    const market = makeMarket(seed, steps);
    const returns = forwardReturns(market.prices, { periods: [1, 5, 21], compat });
    const aligned = align(market.scores, returns, { groups: market.groups, compat });
    const quantized = quantize(aligned, { ...options, compat });
    const bucketed = quantized.data.filter(pl.col("quantile").isNotNull());
    // Rows without a bucket are in no statistic of alphalens.
    const data = bucketed;
    const expectTable = (name: string, frame: DataFrame, of: readonly [string[], string]) =>
      expectCells(frame, theirs.get(what)!.tables[name]!, of);

    test("keeps the same rows, in the same buckets", () => {
      expect(bucketed.height).toBe(theirs.get(what)!.rows);
      expect(bucketed.height).toBeGreaterThan(500);
      expectTable("quantile", bucketed, [["session", "ticker"], "quantile"]);
    });

    test("correlates scores and returns the same in every session and group", () => {
      const of = (how: object) => informationCoefficient(data, { ...how, compat });
      expectTable("ic", of({}), [["session"], "ic"]);
      expectTable("ic_group", of({ by: "group" }), [["session", "group"], "ic"]);
      expectTable("ic_neutral", of({ groupNeutral: true }), [["session"], "ic"]);
    });

    test("gives each bucket the same mean, error and spread", () => {
      const means = meanReturnByQuantile(data, { compat });
      expectTable("means", means, [["quantile"], "mean"]);
      expectTable("errors", means, [["quantile"], "standard_error"]);
      const byGroup = meanReturnByQuantile(data, { by: "group", compat });
      expectTable("group_means", byGroup, [["quantile", "group"], "mean_excess"]);
      // From 0.5 on half of top minus bottom.
      const spread = quantileSpread(data, { gross: 1, compat });
      expectTable("spread", spread.data, [["session"], "spread"]);
      expectTable("spread_error", spread.data, [["session"], "standard_error"]);
      expectTable("mean_spread", spread.summary, [[], "mean"]);
      for (const name of ["standard_error", "t", "p", "low", "high"]) {
        expect(spread.summary.getColumn(name).nullCount()).toBe(3);
      }
    });

    test("finds the same turnover and autocorrelation", () => {
      const { count } = quantized;
      const turnover = quantileTurnover(data, { period: 5, compat })
        .filter(pl.col("quantile").eq(pl.lit(count)));
      expectTable("turnover", turnover, [["session"], "turnover"]);
      const again = rankAutocorrelation(data, { period: 5, compat });
      expectTable("autocorrelation", again, [["session"], "autocorrelation"]);
    });

    test.each(flags)(
      "weighs and earns the same with demeaned, group_adjust, equal_weight $name",
      ({ name, demeaned, adjust, equal }) => {
        const weights = factorWeights(data, {
          weighting: equal ? "equal" : "factor",
          neutral: demeaned ? "market" : "none",
          byGroup: adjust,
          compat,
        });
        expectTable(`weights:${name}`, weights.data, [["session", "ticker"], "weight"]);
        const earned = factorReturns(data, weights, { compat });
        expectTable(`returns:${name}`, earned, [["session"], "return"]);
        const fitted = alphaBeta(earned, data, { compat });
        const of = (key: string) =>
          theirs.get(what)!.tables[`alpha_beta:${name}`]!.filter(([at]) => at === key)
            .map(([, horizon, value]): Cell => ["", horizon, value]);
        expectCells(fitted, of("Ann. alpha"), [[], "annual_alpha"]);
        expectCells(fitted, of("beta"), [[], "beta"]);
        const wealth = cumulativeReturns(portfolioReturns(data, weights), { compat });
        expectTable(`wealth:${name}`, wealth, [["date"], "wealth"]);
      },
    );
  },
);

function expectCells(
  frame: DataFrame,
  cells: readonly Cell[],
  [keys, value]: readonly [readonly string[], string],
): void {
  const texts = (row: Record<string, unknown>) =>
    keys.map((key) => row[key])
      .map((part) => part instanceof Date ? part.toISOString().slice(0, 10) : String(part))
      .join("|");
  const ours = new Map(
    frame.toRecords().map((row) => [`${texts(row)} ${row["horizon"] ?? 0}`, row[value]]),
  );
  const wrong = cells.filter(([at, horizon, expected]) => {
    const got = ours.get(`${at} ${horizon}`) ?? null;
    if (expected === null || typeof got !== "number") return expected !== got;
    return Math.abs(got - expected) > 1e-9 * Math.abs(expected) + 1e-14;
  }).map((cell) => [...cell, ours.get(`${cell[0]} ${cell[1]}`)]);
  expect({ cells: cells.length > 0, wrong: wrong.slice(0, 5) }).toEqual({ cells: true, wrong: [] });
}

/** Twenty-four names over 66 weekdays: missing scores, missing closes, a late one, one that ends, and scores with ties. */
function makeMarket(seed: number, steps: number): Market {
  const random = randomSource(20_261_122 + seed);
  const names = Array.from({ length: 24 }, (_, i) => `${i % 2 === 0 ? "T" : "0"}${i}`);
  const closes = names.map(() => 50 + 100 * random.uniform());
  const scores: { date: string; ticker: string; score: number | null }[] = [];
  const prices: { date: string; ticker: string; close: number }[] = [];
  for (let d = 0; d < 66; d++) {
    const date = weekday(d);
    for (const [i, ticker] of names.entries()) {
      closes[i] = closes[i]! * (1 + 0.05 * (random.uniform() - 0.5));
      const isListed = (i !== 3 || d >= 10) && (i !== 7 || d < 30);
      if (isListed && random.uniform() > 0.02) prices.push({ date, ticker, close: closes[i]! });
      const score = Math.round(steps * (random.uniform() - 0.4)) / steps;
      if (d < 44) scores.push({ date, ticker, score: random.uniform() < 0.08 ? null : score });
    }
  }
  const groups = names.map((ticker, i) => ({ ticker, group: `g${i % 4}` }));
  return {
    scores: pl.DataFrame(scores),
    prices: pl.DataFrame(prices),
    groups: pl.DataFrame(groups),
  };
}

function weekday(d: number): string {
  const ms = Date.UTC(2024, 0, 1) + (7 * Math.floor(d / 5) + d % 5) * 86_400_000;
  return new Date(ms).toISOString().slice(0, 10);
}

function hasAlphalens(): boolean {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, [
      "-c",
      "import importlib.util as u, sys; sys.exit(u.find_spec('alphalens') is None)",
    ]);
    return true;
  } catch {
    return false;
  }
}
