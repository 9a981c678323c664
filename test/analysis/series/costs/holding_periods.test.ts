import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { adjustPValues, tradingCosts } from "../../../../src/analysis/mod.ts";
import { holdingPeriods } from "../../../../src/analysis/series/costs/capacity.ts";
import { portfolioReturns } from "../../../../src/analysis/portfolio/portfolio_returns.ts";
import { positions } from "../../../../src/analysis/portfolio/weights.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { DATA, WEIGHTS } from "../../portfolio/_liquid_market.ts";

const compare = (options: Parameters<typeof holdingPeriods>[2]) =>
  holdingPeriods(DATA, WEIGHTS, { periodsPerYear: 252, ...options }).toRecords();

describe("holdingPeriods()", () => {
  test("has the trades and net returns that numpy gives, on the sessions of both", () => {
    const [one, three] = compare({ holding: [3, 1] });
    expect(one).toMatchObject({ holding: 1, one_way_bps: 10, sessions: 32 });
    expectNear(one!.traded, 0.34941748260763994);
    expectNear(one!.gross, -7.795126676217538e-05, 1e-8);
    expectNear(one!.net, -0.0004273687493698154, 1e-8);
    expectNear(one!.net_annual, -0.10443233173073552, 1e-8);
    expect(three).toMatchObject({ holding: 3, one_way_bps: 10, sessions: 32 });
    expectNear(three!.traded, 0.3113134719294921);
    expectNear(three!.gross, -7.402099931088301e-05, 1e-8);
    expectNear(three!.net, -0.00038533447124037504, 1e-8);
    expectNear(three!.net_annual, -0.09474173825787924, 1e-8);
  });

  test("has the interval that tradingCosts() has of the same sessions", () => {
    const [row] = compare({ holding: 5, oneWayBps: 2 });
    const book = portfolioReturns(DATA, positions(WEIGHTS, { holding: 5 }));
    const [costs] = tradingCosts(book.slice(1, book.height - 1), {
      ...{ oneWayBps: 2, periodsPerYear: 252 },
    }).toRecords();
    expect([row!.sessions, row!.net, row!.net_low, row!.net_high, row!.net_annual]).toEqual([
      ...[costs!.sessions, costs!.net, costs!.net_low, costs!.net_high, costs!.net_annual],
    ]);
  });

  test("adjusts the p values for all holding periods of the table", () => {
    const rows = compare({ holding: [1, 2, 3, 5] });
    expect(rows.map(({ p_adjusted }) => p_adjusted))
      .toEqual(adjustPValues(rows.map(({ p }) => p), "holm"));
    expect(rows.some(({ p, p_adjusted }) => Number(p_adjusted) > Number(p))).toBe(true);
  });

  test("asks for no period twice, and takes one alone", () => {
    expect(compare({ holding: [2, 2] })).toHaveLength(1);
    expect(compare({ holding: 2 })).toEqual(compare({ holding: [2] }));
  });

  test("refuses what is no holding period, and one as long as the sample", () => {
    for (const holding of [0, 1.5, [], [1, -2]]) {
      expect(() => compare({ holding })).toThrow(/holding .*, at least 1, .* got/);
    }
    expect(() => compare({ oneWayBps: -1 })).toThrow(/number of at least 0/);
    expect(() => compare({ holding: [1, 60] })).toThrow(/sample longer than/);
    expect(() => holdingPeriods(DATA, WEIGHTS.filter(pl.lit(false)))).toThrow("weights");
  });
});
