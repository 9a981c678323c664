import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  align,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantize,
} from "../../../src/analysis/mod.ts";
import { randomSource } from "../../../src/analysis/inference/method/random_source.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const PYTHON = join(ROOT, ".scoreframe/venv/bin/python");
const LONG_MS = 180_000;

// Where everything is tested it has to be there; elsewhere it is said that something was left out.
const isMissing = !hasAlphalens();
if (isMissing && !process.env.CI) {
  process.stderr.write(
    `SKIPPED: the comparison with the installed alphalens needs it in ${PYTHON}; make it by ` +
      "python3 -m venv .scoreframe/venv && .scoreframe/venv/bin/pip install -r .ci/requirements.txt\n",
  );
}

type Cell = readonly [key: string | number, horizon: number, value: number | null];

interface Theirs {
  readonly rows: number;
  readonly ic: readonly Cell[];
  readonly means: readonly Cell[];
  readonly errors: readonly Cell[];
}

describe.skipIf(isMissing && !process.env.CI)("compat beside the installed alphalens", () => {
  const compat = "alphalens" as const;
  const market = makeMarket();
  const returns = forwardReturns(market.prices, { periods: [1, 5, 21], compat });
  const aligned = align(market.scores, returns, { compat });
  let theirs: Theirs;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-alphalens-"));
    market.scores.writeCSV(join(folder, "factor.csv"));
    market.prices.writeCSV(join(folder, "prices.csv"));
    const script = join(import.meta.dirname!, "run_installed.py");
    const options = { encoding: "utf8", maxBuffer: 1 << 26, stdio: "pipe" } as const;
    theirs = JSON.parse(execFileSync(PYTHON, ["-W", "ignore", script, folder], options));
  }, LONG_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("correlates scores and returns the same in every session", () => {
    expectCells(informationCoefficient(aligned, { compat }), theirs.ic, ["session", "ic"]);
    expect(theirs.ic.length).toBeGreaterThan(400);
  });

  test("keeps the same rows, and gives each quantile the same mean and error", () => {
    const quantized = quantize(aligned, { compat });
    expect(quantized.data.filter(pl.col("quantile").isNotNull()).height).toBe(theirs.rows);
    const means = meanReturnByQuantile(quantized, { compat });
    expectCells(means, theirs.means, ["quantile", "mean"]);
    expectCells(means, theirs.errors, ["quantile", "standard_error"]);
    expect(theirs.means).toHaveLength(15);
  });
});

function expectCells(
  frame: DataFrame,
  cells: readonly Cell[],
  [key, value]: readonly [string, string],
): void {
  const ours = new Map(
    frame.toRecords().map((row) => {
      const at: unknown = row[key];
      const text = at instanceof Date ? at.toISOString().slice(0, 10) : String(at);
      return [`${text} ${row["horizon"]}`, row[value] as number | null];
    }),
  );
  const wrong = cells.filter(([at, horizon, expected]) => {
    const got = ours.get(`${at} ${horizon}`) ?? null;
    if (expected === null || got === null) return expected !== got;
    return Math.abs(got - expected) > 1e-9 * Math.abs(expected) + 1e-14;
  });
  expect(wrong).toEqual([]);
}

/** Forty names over 220 weekdays: missing scores, missing closes, a late one, one that ends, and scores with few ties. */
function makeMarket(): { readonly scores: DataFrame; readonly prices: DataFrame } {
  const random = randomSource(20_261_122);
  const names = Array.from({ length: 40 }, (_, i) => `${i % 2 === 0 ? "T" : "0"}${i}`);
  const closes = names.map(() => 50 + 100 * random.uniform());
  const scores: { date: string; ticker: string; score: number | null }[] = [];
  const prices: { date: string; ticker: string; close: number }[] = [];
  for (let d = 0; d < 220; d++) {
    const date = weekday(d);
    for (const [i, ticker] of names.entries()) {
      closes[i] = closes[i]! * (1 + 0.05 * (random.uniform() - 0.5));
      const isListed = (i !== 3 || d >= 40) && (i !== 7 || d < 150);
      if (isListed && random.uniform() > 0.02) prices.push({ date, ticker, close: closes[i]! });
      const score = Math.round(10_000 * random.uniform()) / 10_000;
      if (d < 190) scores.push({ date, ticker, score: random.uniform() < 0.08 ? null : score });
    }
  }
  return { scores: pl.DataFrame(scores), prices: pl.DataFrame(prices) };
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
