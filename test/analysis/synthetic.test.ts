import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  doubleSort,
  eventReturns,
  factorCorrelation,
  forwardReturns,
} from "../../src/analysis/mod.ts";
import { correlationChart, doubleSortChart, eventChart } from "../../src/report/chart/mod.ts";
import { isMarkedSynthetic } from "../../src/frames/frame/provenance/synthetic_lineage.ts";
import { makeMarket } from "../helpers/market.ts";

const { scores, prices } = makeMarket(30, (next, noise) => next + noise);
const returns = forwardReturns(prices, { periods: [1] });
const sourced = (source: string): DataFrame => scores.withColumns(pl.lit(source).alias("source"));
const withOther = (data: DataFrame) => data.withColumns(pl.col("score").alias("other"));

describe("scores that say that they are synthetic", () => {
  const { data } = align(sourced("embedded, synthetic"), returns);

  test("stay so in the rows of an alignment, whatever is selected of them", () => {
    expect(isMarkedSynthetic(data)).toBe(true);
    expect(isMarkedSynthetic(data.select("session", "score"))).toBe(true);
  });

  test("are told by the charts of what is computed from them", () => {
    const options = { footnote: "my scores" };
    const events = sourced("synthetic").rename({ date: "session" }).select(
      "session",
      "ticker",
      "source",
    );
    for (
      const chart of [
        correlationChart(factorCorrelation(withOther(data), ["score", "other"]), options),
        doubleSortChart(
          doubleSort(withOther(data), { first: "other", quantiles: [2, 2] }),
          options,
        ),
        eventChart(eventReturns(events, returns), options),
      ]
    ) expect(chart.description).toContain("my scores · Synthetic rows");
  });
});

test("scores of a live service are told as such", () => {
  const { data } = align(sourced("live"), returns);
  expect(isMarkedSynthetic(data)).toBe(false);
  const correlation = factorCorrelation(withOther(data), ["score", "other"]);
  expect(correlationChart(correlation, { footnote: "my scores" }).description)
    .not.toContain("ynthetic");
});
