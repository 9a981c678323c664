import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import { tearSheet } from "../../../src/report/sheet/mod.ts";
import { makeMarket } from "../../helpers/market.ts";

const OF_AN_IC = {
  icChart: charts.icChart,
  icDistributionChart: charts.icDistributionChart,
  icMonthChart: charts.icMonthChart,
  stabilityChart: charts.stabilityChart,
  leadLagChart: charts.leadLagChart,
} as const;
const OF_RETURNS = {
  quantileChart: charts.quantileChart,
  cumulativeQuantileReturnChart: charts.cumulativeQuantileReturnChart,
  cumulativeReturnChart: charts.cumulativeReturnChart,
} as const;

const EDGES = [
  ["scores that are all null", 20, () => null, "no row has a score"],
  ["a constant score", 20, () => 0.5, "in every session all scores are equal"],
  [
    "one ticker",
    1,
    (next: number) => next,
    "no session has more than 1 stock with both a score and a return, and 10 are required (minNames)",
  ],
] as const;

describe.each(EDGES)("of %s", (_, names, scoreOf, reason) => {
  const market = makeMarket(40, scoreOf, { names });
  const options = { entry: "same", progress: false, periods: [1], lags: [1, 2, 3] } as const;

  test("each chart says that there is nothing to draw, and why", async () => {
    const analysis = await analyzeFactor(market.scores, market.prices, options);
    for (const [name, draw] of Object.entries({ ...OF_AN_IC, ...OF_RETURNS })) {
      const { description, spec } = draw(analysis);
      // The least number of stocks is a rule of ICs alone.
      const isOther = reason.includes("minNames") && name in OF_RETURNS;
      expect(description, name).toContain(
        isOther ? "Nothing to draw: " : `Nothing to draw: ${reason}.`,
      );
      expect(description.includes("minNames"), name).toBe(reason.includes("minNames") && !isOther);
      expect(JSON.stringify(spec), name).not.toMatch(/NaN|undefined/);
    }
  });

  test("the other charts and the sheet hold no number of nothing", async () => {
    const analysis = await analyzeFactor(market.scores, market.prices, options);
    for (
      const draw of [charts.turnoverChart, charts.lossChart, charts.factorCoverageChart] as const
    ) {
      const { description } = draw(analysis);
      expect(description).not.toMatch(/NaN|undefined|Infinity/);
      expect(await draw(analysis).toSvg()).not.toContain("NaN");
    }
    expect(tearSheet(analysis).text).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("of one session", () => {
  test("charts state one session and no deviation of it", async () => {
    const market = makeMarket(1, (next) => next, { names: 20 });
    const analysis = await analyzeFactor(market.scores, market.prices, {
      entry: "same",
      progress: false,
    });
    expect(charts.icDistributionChart(analysis).description)
      .toContain("Nothing to draw: a distribution needs the ICs of two sessions.");
    expect(charts.icChart(analysis).description)
      .toMatch(/^Mean IC 1\.000 \(no confidence interval\), above zero in 100% of 1 session\./);
    expect(charts.icMonthChart(analysis).description)
      .toMatch(/^No month has 10 sessions with an IC\./);
    for (const draw of [charts.leadLagChart, charts.cumulativeReturnChart, charts.turnoverChart]) {
      expect(await draw(analysis).toSvg()).not.toContain("NaN");
    }
  });
});

test("a condition of the caller is no loss of rows", async () => {
  const { scores, prices } = makeMarket(60, (_, noise) => noise);
  const where = pl.col("ticker").neq(pl.lit("T1"));
  const options = { entry: "same", progress: false, periods: [1], lags: [1] } as const;
  const asked = await analyzeFactor(scores, prices, { ...options, where });
  expect(charts.lossChart(asked).description).not.toMatch(/condition|excluded/);
});
