import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { neutralize } from "../../../src/analysis/transform/neutralize.ts";
import { trialLog } from "../../../src/analysis/trial_log.ts";
import {
  isMarkedSynthetic,
  markSynthetic,
} from "../../../src/frames/frame/provenance/synthetic_lineage.ts";
import { shuffled } from "../series/_frames.ts";
import { makeMarket } from "../../helpers/market.ts";

const market = makeMarket(120, (next, noise) => next + 0.04 * (noise - 0.5));
const same = { entry: "same", progress: false, lags: [1, 2, 5] } as const;
const quick = { ...same } as const;

describe("analyzeFactor", () => {
  test("answers the usual questions over one alignment", async () => {
    const analysis = await analyzeFactor(market.scores, market.prices, quick);
    const [first, second] = analysis.summary.table.toRecords();
    expect(first).toMatchObject({ horizon: 1, sessions: 120, reason: null });
    expect(first!["low"]).toBeGreaterThan(0.1);
    expect(second).toMatchObject({ horizon: 5 });
    expect(analysis.quantileReturns.height).toBe(15);
    expect(analysis.performance.toRecords()[0]!["sharpe"]).toBeGreaterThan(2);
    expect(analysis.costs.height).toBe(5);
    expect(analysis.decayMeans.getColumn("group").toArray()).toEqual(["1", "2", "5"]);
    expect(analysis.spread.summary.height).toBe(3);
    expect(String(analysis)).toMatch(/IC at 1 session is −?0\.\d+/);
  });

  test("answers the horizons that are named and no other, with a portfolio of one session", async () => {
    const asked = { ...quick } as const;
    const both = await analyzeFactor(market.scores, market.prices, { ...asked, periods: [1, 5] });
    const five = await analyzeFactor(market.scores, market.prices, { ...asked, periods: 5 });
    expect(five.aligned.periods).toEqual([5]);
    expect(five.aligned.data.columns).not.toContain("return_1");
    expect(five.summary.table.toRecords()).toEqual([both.summary.table.toRecords()[1]]);
    expect(five.portfolio.toRecords()).toEqual(both.portfolio.toRecords());
    expect(five.trialLog.table().getColumn("what").toArray()).toEqual([
      ...["mean IC", "mean spread", "mean portfolio return"],
    ]);
    expect(judgement(five).text).not.toMatch(/ at 1\s+session/);
  });

  test("counts its tests when it is made, not what is read of it", async () => {
    const tried = trialLog();
    const options = { ...same, trialLog: tried } as const;
    const analysis = await analyzeFactor(market.scores, market.prices, options);
    expect(tried.count).toBe(7);
    const second = await analyzeFactor(market.scores, market.prices, {
      ...options,
      weighting: "equal",
    });
    expect([analysis.summary, analysis.spread, analysis.performance, analysis.detail.halves])
      .toHaveLength(4);
    expect(
      tried.variants().every(({ times, what }) =>
        times === (what === "mean portfolio return" ? 1 : 2)
      ),
    ).toBe(true);
    // A deflated Sharpe ratio counts the portfolios that were tried until then, and no ICs.
    expect([analysis, second].map((one) => one.performance.toRecords()[0]!.variants))
      .toEqual([1, 2]);
  });

  test("finds that scores explain the return of the next session and of no later one", async () => {
    const { decayMeans } = await analyzeFactor(market.scores, market.prices, quick);
    const [next, later] = decayMeans.toRecords();
    expect(next!["low"]).toBeGreaterThan(0.1);
    expect(Math.abs(Number(later!["mean"]))).toBeLessThan(0.1);
  });

  test("knows synthetic scores whose source column was left out", async () => {
    const scores = markSynthetic(market.scores.clone(), ["embedded, synthetic"])
      .select("date", "ticker", "score");
    const options = { ...same } as const;
    const made = await analyzeFactor(scores, market.prices, options);
    expect(made.origin.isSynthetic).toBe(true);
    // Its tables have no column of provenance, and neither has what Polars derives from them.
    const tables = [made.ic, made.costs, made.portfolio.select("date", "return")];
    expect(tables.map(isMarkedSynthetic)).toEqual([true, true, true]);
    const real = await analyzeFactor(market.scores, market.prices, options);
    expect([real.origin.isSynthetic, isMarkedSynthetic(real.ic)]).toEqual([false, false]);
  });

  test("gives equal numbers for rows in any order", async () => {
    const one = await analyzeFactor(market.scores, market.prices, quick);
    const other = await analyzeFactor(shuffled(market.scores), shuffled(market.prices), quick);
    for (const part of ["decayMeans", "halfLife", "performance", "costs", "alphaBeta"] as const) {
      expect(other[part].toRecords(), part).toEqual(one[part].toRecords());
    }
    expect(other.summary.table.toRecords()).toEqual(one.summary.table.toRecords());
    expect(other.summary.tables.checks.toRecords()).toEqual(one.summary.tables.checks.toRecords());
  });

  test("enters its tests in the trial log that it is given", async () => {
    const tried = trialLog();
    await analyzeFactor(market.scores, market.prices, { ...quick, trialLog: tried });
    const names = tried.variants().map(({ what }) => what);
    expect(names).toEqual([
      ...Array(3).fill("mean IC"),
      ...Array(3).fill("mean spread"),
      "mean portfolio return",
    ]);
    expect(new Set(tried.table().getColumn("of").toArray())).toEqual(new Set(["score"]));
  });

  test("tells the tests of two factors apart in one trial log", async () => {
    const tried = trialLog();
    const own = market.scores.rename({ score: "momentum" });
    const release = market.scores.withColumns(
      pl.lit("ecqdi").alias("factor"),
      pl.lit("58080ada" + "0".repeat(56)).alias("download_sha256"),
    );
    const asked = { ...same, trialLog: tried } as const;
    await analyzeFactor(own, market.prices, { ...asked, score: "momentum" });
    await analyzeFactor(release, market.prices, asked);
    const of = tried.table().getColumn("of").toArray();
    expect(of).toEqual([
      ...Array(7).fill("momentum"),
      ...Array(7).fill("ecqdi, release 58080ada…"),
    ]);
  });

  test("stops when it is told to, and takes no step after that", async () => {
    const stop = new AbortController();
    const running = analyzeFactor(market.scores, market.prices, { ...quick, signal: stop.signal });
    stop.abort(new DOMException("enough", "AbortError"));
    await expect(running).rejects.toThrow("enough");
  });

  test("sees a stop in each of its parts, between any two steps", async () => {
    const reasons = await Promise.all([1, 3, 8, 20].map(async (turns) => {
      const stop = new AbortController();
      const running = analyzeFactor(market.scores, market.prices, {
        ...quick,
        signal: stop.signal,
      });
      // Every step lets others have their turn, so that a later turn of theirs is a later step of its own.
      let turn = 0;
      const press = () => ++turn < turns ? setTimeout(press, 0) : stop.abort(`turn ${turns}`);
      press();
      return await running.then(() => "done", (reason) => reason);
    }));
    expect(reasons).toEqual([1, 3, 8, 20].map((turns) => `turn ${turns}`));
  });

  test("refuses unknown options and numbers that make no sense", async () => {
    const { scores, prices } = market;
    await expect(analyzeFactor(scores, prices, { period: [1] } as never)).rejects.toThrow(/period/);
    await expect(analyzeFactor(scores, prices, { periods: [0] })).rejects.toThrow(RangeError);
    await expect(analyzeFactor(scores, prices, { lags: [] })).rejects.toThrow(RangeError);
    await expect(analyzeFactor(scores, prices, { quantiles: 1 })).rejects.toThrow(RangeError);
    await expect(analyzeFactor({} as never, prices)).rejects.toThrow(TypeError);
  });
});

describe("neutral", () => {
  test("analyses the residuals of neutralize(), and says to what and how much was removed", async () => {
    const sectors = market.scores.withColumns(
      pl.when(pl.col("ticker").lt(pl.lit("T5"))).then(pl.lit("first")).otherwise(pl.lit("second"))
        .alias("sector"),
    );
    const asked = { ...same, periods: [1] } as const;
    const neutral = await analyzeFactor(sectors, market.prices, {
      ...asked,
      neutral: { group: "sector" },
    });
    const byHand = neutralize(sectors, { group: "sector" });
    const own = await analyzeFactor(byHand.data, market.prices, asked);
    expect(neutral.ic.frameEqual(own.ic, true)).toBe(true);
    expect(neutral.origin.what).toContain("neutral to sector");
    const words = (analysis: FactorAnalysis) => String(judgement(analysis)).replaceAll(/\s+/g, " ");
    expect(words(neutral)).toContain(`neutral to sector. ${String(byHand)}`);
    expect(words(own)).not.toContain("made neutral");
  });

  test("names the column that the scores lack, and what the option has to be", async () => {
    const ask = (neutral: object) =>
      analyzeFactor(market.scores, market.prices, { neutral, progress: false });
    await expect(ask({ group: "industry" })).rejects.toThrow("industry");
    await expect(ask({})).rejects.toThrow(TypeError);
    await expect(ask("sector" as unknown as object)).rejects.toThrow(/neutral .*, got "sector"/);
  });
});
