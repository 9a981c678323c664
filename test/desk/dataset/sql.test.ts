// @heavy: engines in Java and Python
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  align,
  type Aligned,
  factorCoverage,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantileTurnover,
  quantize,
} from "../../../src/analysis/mod.ts";
import { exportDataset } from "../../../src/desk/dataset/mod.ts";
import { makeMarket } from "../../helpers/market.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { lacksPython, runPython } from "../../helpers/python.ts";

type Row = Readonly<Record<string, unknown>>;
type Answers = Readonly<Record<string, readonly Row[]>>;

const SQL = join(ROOT, "docs/beyond-one-machine/sql");
const PACKAGES = {
  duckdb: "duckdb",
  spark: "pyspark",
  datafusion: "datafusion",
  clickhouse: "chdb",
} as const;
const ENGINES = ["duckdb", "spark", "datafusion", "clickhouse"] as const;
const LONG_MS = 900_000;

describe.each(ENGINES)("the SQL of a factor analysis in %s", (engine) => {
  describe.skipIf(lacksPython(PACKAGES[engine]))("beside the library", () => {
    const { scores, prices } = awkwardMarket();
    let folder: string;
    let answers: Answers;
    let aligned: Aligned;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "scoreframe-sql-"));
      await exportDataset(scores, folder, { factor: "ecpnd" });
      await exportDataset(prices, folder);
      const script = join(import.meta.dirname!, "run_sql.py");
      answers = JSON.parse(await runPython(script, engine, folder, SQL)) as Answers;
      aligned = align(scores, forwardReturns(prices, { periods: [1, 5, 21] }), {
        universe: "scored",
      });
    }, LONG_MS);
    afterAll(() => rm(folder, { recursive: true }));

    test("loses the same rows for the same reasons", () => {
      const ours = aligned.loss.table.drop("examples").rename({ rows: "score_rows" });
      expectSame(answers["loss_report"]!, rowsOf(ours), ["reason", "horizon"]);
      expect(new Set(answers["loss_report"]!.map(({ reason }) => reason))).toEqual(
        new Set([
          "not_a_session",
          "no_score",
          "no_entry_price",
          "beyond_prices",
          "no_exit_price",
          "ended",
          "used",
        ]),
      );
    });

    test("gives the same rank ICs, and none where the names are too few or all equal", () => {
      const ours = rowsOf(informationCoefficient(aligned).drop("reason"));
      const withNames = ours.filter(({ n }) => Number(n) > 0);
      expectSame(answers["rank_ic"]!, withNames, ["session", "horizon"]);
      expect(withNames.filter(({ ic }) => ic === null).length).toBeGreaterThan(0);
    });

    test("gives the same mean returns of buckets", () => {
      const ours = meanReturnByQuantile(quantize(aligned))
        .select("horizon", "quantile", "mean", "sessions", "names");
      expectSame(answers["quantile_returns"]!, rowsOf(ours), ["horizon", "quantile"]);
    });

    test("gives the same turnover of buckets", () => {
      const ours = rowsOf(quantileTurnover(quantize(aligned)).drop("reason"));
      const withNames = ours.filter(({ n }) => Number(n) > 0);
      expectSame(answers["turnover"]!, withNames, ["session", "quantile"]);
    });

    test("counts the same rows and scores", () => {
      const ours = factorCoverage(aligned).bySession.drop("median_age", "outside")
        .rename({ rows: "row_count", left: "left_names" });
      expectSame(
        answers["coverage"]!,
        rowsOf(ours).filter(({ row_count: rows }) => Number(rows) > 0),
        ["session"],
      );
    });
  });
});

/**
 * Scores and prices over the turn of a year in which everything happens that the loss report knows of: ties, scores of 0
 * and 1, names without scores, prices that are missing, end or never were, a session of few names, one of equal scores.
 */
function awkwardMarket(): { readonly scores: DataFrame; readonly prices: DataFrame } {
  const { scores, prices } = makeMarket(
    60,
    (next, noise) =>
      noise < 0.08 ? null : Math.round(10 * (0.5 + 5 * next + 0.6 * (noise - 0.5))) / 10,
    { names: 40, seed: 7 },
  );
  const [from, to] = [Date.UTC(2025, 10, 3), Date.UTC(2026, 5, 1)].map((ms) => ms / 86_400_000);
  const later = listSessionDays(from!, to!).map((day) => new Date(day * 86_400_000));
  const dates = [...new Set((rowsOf(prices) as { date: string }[]).map(({ date }) => date))]
    .toSorted();
  const moved = (frame: DataFrame) =>
    (rowsOf(frame) as { date: string; ticker: string; close?: number; score?: number | null }[])
      .map((row) => ({ ...row, date: later[dates.indexOf(row.date)]! }));
  const days = [...new Set(moved(prices).map(({ date }) => +date))].toSorted((a, b) => a - b);
  const kept = moved(prices).filter(({ date, ticker }) => {
    const day = days.indexOf(+date);
    if (ticker === "T3") return false; // never priced
    if (ticker === "T5") return day < 30; // ends
    if (ticker === "T6") return day % 7 !== 3; // gaps
    return !(ticker === "T7" && day >= 20 && day < 33);
  });
  const scored = moved(scores).filter(({ date, ticker }) => {
    const day = days.indexOf(+date);
    if (day === 11) return Number(ticker.slice(1)) < 3; // too few names
    return !(ticker === "T8" && day > 25 && day < 40);
  }).map((row) => days.indexOf(+row.date) === 17 ? { ...row, score: 0.5 } : row);
  const saturday = { date: new Date("2025-11-08"), ticker: "T1", score: 0.3 };
  return { prices: toFrame(kept, "close"), scores: toFrame([...scored, saturday], "score") };
}

function toFrame(
  rows: readonly { date: Date; ticker: string; close?: number; score?: number | null }[],
  value: "close" | "score",
): DataFrame {
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Date),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series(value, rows.map((row) => row[value] ?? null), pl.Float64),
  ]);
}

function rowsOf(frame: DataFrame): readonly Row[] {
  return frame.rows().map((row: readonly unknown[]) =>
    Object.fromEntries(row.map((value, i) => [frame.columns[i]!, plain(value)]))
  );
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString().slice(0, 10) : value ?? null;
}

/** Expects the same rows whatever their order, numbers to 1e-12 of their size. */
function expectSame(theirs: readonly Row[], ours: readonly Row[], key: readonly string[]): void {
  const keyOf = (row: Row) => key.map((name) => String(row[name])).join(" ");
  const sorted = (rows: readonly Row[]) => rows.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1);
  expect(theirs.map(keyOf).toSorted()).toEqual(ours.map(keyOf).toSorted());
  for (const [i, row] of sorted(ours).entries()) {
    for (const [name, value] of Object.entries(row)) {
      const other = sorted(theirs)[i]![name];
      if (typeof value !== "number" || value === 0 || other === null) {
        expect(other, `${name} of ${keyOf(row)}`).toBe(value);
      } else expectNear(other, value, 1e-12);
    }
  }
}
