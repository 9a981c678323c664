import { judged } from "../../helpers/judged.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import {
  align,
  analyzeFactor,
  type FactorAnalysis,
  factorWeights,
  forwardReturns,
  portfolioReturns,
  trialLog,
} from "../../../src/analysis/mod.ts";
import { tearSheet } from "../../../src/report/sheet/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";

// The numbers of carried_book.py, which carries the book by hand in pandas.
const [NAMES, SESSIONS, EVERY] = [60, 1260, 21];
const HAND = {
  traded: 0.06256851318216743,
  breakEven: 258.2871901668613,
  gross: { wealth: 7.615219819753339, annual: 0.5013313367953267 },
  top: 15.529387850961154,
  net: { wealth: 7.0387247242864515, annual: 0.477860446660215 },
};

function numbers(seed: number, count: number): number[] {
  let state = BigInt(seed);
  return Array.from({ length: count }, () => {
    state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n;
    return Number(state) / 2_147_483_648;
  });
}

function frameOf(column: string, rows: readonly (readonly [string, number, number])[]): DataFrame {
  return pl.DataFrame([
    pl.Series("date", rows.map(([date]) => date), pl.Utf8),
    pl.Series("ticker", rows.map(([, name]) => `T${String(name).padStart(2, "0")}`), pl.Utf8),
    pl.Series(column, rows.map(([, , value]) => value), pl.Float64),
  ]);
}

function market(): { readonly scores: DataFrame; readonly prices: DataFrame } {
  const days = listSessionDays(epochDayOf(2020, 1, 2), epochDayOf(2026, 1, 1)).slice(0, SESSIONS)
    .map(fromEpochDay);
  const noise = numbers(7, NAMES * SESSIONS);
  const draw = numbers(11, NAMES * SESSIONS);
  const closes: [string, number, number][] = [];
  const scores: [string, number, number][] = [];
  for (let name = 0; name < NAMES; name++) {
    let [close, lean] = [100, 0];
    for (const [d, day] of days.entries()) {
      close *= 1 + 0.0003 + 0.05 * (noise[d * NAMES + name]! - 0.5) + 0.005 * lean;
      closes.push([day, name, close]);
      if (d % EVERY > 0) continue;
      const score = Math.round(1e6 * draw[d * NAMES + name]!) / 1e6;
      scores.push([day, name, score]);
      lean = score - 0.5;
    }
  }
  return { scores: frameOf("score", scores), prices: frameOf("close", closes) };
}

const { scores, prices } = market();
const aligned = align(scores, forwardReturns(prices, { periods: [1] }), { entry: "same" });
const weights = factorWeights(aligned);
const column = (frame: DataFrame, name: string) => frame.getColumn(name).toArray() as number[];

describe("a book of scores of every 21st session", () => {
  const book = portfolioReturns(aligned, weights);

  test("has the returns and trades of a book that is carried by hand", () => {
    expect(book.height).toBe(SESSIONS - 1);
    const [earned, traded] = [column(book, "return"), column(book, "traded")];
    for (
      const [row, r, t] of [
        [0, 0.00021063778198162736, 1],
        [20, 0.004534211430448953, 0],
        [21, 0.003942034763343932, 1.345647841235237],
        [22, 0.00157824792540018, 0],
        [42, 0.003255597446376453, 1.296381074198977],
        [1258, 0.0015750592129859667, 0],
      ] as const
    ) {
      expect(earned[row]).toBeCloseTo(r, 12);
      expect(traded[row]).toBeCloseTo(t, 12);
    }
  });

  test("is restored to its weights in every session, and that is traded, if so asked", () => {
    const restored = column(portfolioReturns(aligned, weights, { between: "restore" }), "traded");
    expect(restored[0]).toBeCloseTo(1, 12);
    expect(restored.slice(1, -1).every((traded) => traded > 0)).toBe(true);
  });

  test("is closed after one session if so asked: 0 in between, and the closing trade is kept", () => {
    const closed = portfolioReturns(aligned, weights, { between: "cash" });
    const [earned, traded] = [column(closed, "return"), column(closed, "traded")];
    expect(earned.slice(0, 4)).toEqual([expect.closeTo(0.00021063778198162736, 12), 0, 0, 0]);
    expect(traded.slice(0, 4)).toEqual([expect.closeTo(1, 12), expect.closeTo(1.0016627, 6), 0, 0]);
  });

  test("is traded less often if so asked", () => {
    const every = (rebalance: number) =>
      column(portfolioReturns(aligned, weights, { rebalance }), "rebalanced").filter(Boolean);
    expect(every(21)).toHaveLength(60);
    expect(every(63)).toHaveLength(20);
  });
});

describe("an analysis of them", () => {
  let analysis: FactorAnalysis;
  beforeAll(async () => {
    analysis = await analyzeFactor(scores, prices, {
      ...{ entry: "same", periods: [1, 21], lags: [1, 5, 21], progress: false },
    });
  });

  test("has the costs of the book that is carried by hand", () => {
    const [free, ten] = analysis.costs.filter(pl.col("one_way_bps").isIn([0, 10])).toRecords();
    expect(free).toMatchObject({
      sessions: SESSIONS - 1,
      traded: expect.closeTo(HAND.traded, 12),
      break_even_one_way_bps: expect.closeTo(HAND.breakEven, 8),
      net_annual: expect.closeTo(HAND.gross.annual, 10),
    });
    expect(ten!["net_annual"]).toBeCloseTo(HAND.net.annual, 10);
    expect(analysis.performance.toRecords()[0]).toMatchObject({
      wealth: expect.closeTo(HAND.gross.wealth, 9),
      annual_return: expect.closeTo(HAND.gross.annual, 10),
    });
    const wealth = analysis.detail.cumulativeNetReturns.filter(
      pl.col("one_way_bps").eq(pl.lit(10)),
    );
    const known = column(wealth, "wealth").filter((value) => value !== null);
    expect(known.at(-1)).toBeCloseTo(HAND.net.wealth, 9);
  });

  test("has buckets that names stay in until there are new scores", () => {
    const wealth = analysis.detail.cumulativeQuantileReturns;
    expect(wealth.height).toBe(5 * SESSIONS);
    const top = column(wealth.filter(pl.col("quantile").eq(pl.lit(5))), "wealth");
    // The mean return of each bucket's twelve names, restored in every session (carried_book.py).
    expect(top[SESSIONS - 1]).toBeCloseTo(HAND.top, 8);
  });

  test("says which sessions the portfolio is traded in, and both numbers with their intervals", () => {
    const text = judged(analysis);
    expect(text).toMatch(/60 of 1,259 sessions .* every 21st session\./);
    expect(text).toContain(
      "The portfolio is rebalanced on new scores (60 times), and its weights drift with " +
        "prices in between; its scores are at most 20 sessions old.",
    );
    expect(text).toMatch(/trades 6\.3% .* per session \(.*; 1,259 sessions\)/);
    expect(text).toMatch(
      /Its break-even cost is 258\.3 bps one way \(95% CI \d+\.\d to \d+\.\d; 1,259/,
    );
    expect(text).toMatch(
      / earns 47\.8% a year \(95% CI \d+\.\d% to \d+\.\d%\), 50\.1% before costs; /,
    );
  });

  test("trades less often if so asked, and says so", async () => {
    const quarterly = await analyzeFactor(scores, prices, {
      ...{ entry: "same", periods: [1], progress: false, rebalance: 63 },
    });
    expect(judged(quarterly)).toContain("every 63 sessions (20 times)");
    const rows = quarterly.portfolio.filter(pl.col("rebalanced"));
    expect(rows.height).toBe(20);
  });

  test.each(
    [
      // carried_book.py: by_score, by_rank, by_side, by_quantile.
      ["factor", 7.615219819753339, 0.06256851318216743, "The score-weighted portfolio has"],
      ["rank", 7.503288830961022, 0.06218212169252505, "The rank-weighted portfolio has"],
      [
        "equal",
        4.713746846339842,
        0.04831421424825315,
        "The equal-weighted long–short portfolio has",
      ],
      [
        "quantile",
        10.919529961853009,
        0.07491612452738003,
        "The top-minus-bottom quantile portfolio has",
      ],
    ] as const,
  )("has the portfolio of weighting %s", async (weighting, wealth, traded, said) => {
    const log = trialLog();
    const own = await analyzeFactor(scores, prices, {
      ...{ entry: "same", periods: [1], lags: [1], progress: false },
      ...{ weighting, trialLog: log },
    });
    expect(own.plan.weighting).toBe(weighting);
    expect(own.performance.toRecords()[0]).toMatchObject({ wealth: expect.closeTo(wealth, 8) });
    expect(own.costs.toRecords()[0]).toMatchObject({ traded: expect.closeTo(traded, 12) });
    expect(judged(own)).toMatch(new RegExp(`${said} a gross exposure of 9[89]%`));
    // ICs do not depend on it, and its test is a variant of its own.
    expect(own.summary.table.toRecords()).toEqual(
      analysis.summary.table.filter(pl.col("horizon").eq(1)).toRecords(),
    );
    const entry = log.variants().find(({ what }) => what === "mean portfolio return");
    expect(entry?.options["weighting"]).toBe(weighting === "factor" ? undefined : weighting);
    const { text } = tearSheet(own, { parts: ["returns", "methods"] });
    expect(text).toContain(said.slice("The ".length + 1, -" has".length));
  });

  test("refuses weights that it does not know", async () => {
    await expect(analyzeFactor(scores, prices, { weighting: "value" as never })).rejects.toThrow(
      '"factor", "rank", "equal", "quantile", got "value"',
    );
  });
});
