import { beforeAll, describe, expect, test } from "vitest";
import type { DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import {
  informationCoefficient,
  meanReturnByQuantile,
  quantileSpread,
  quantize,
} from "../../../../src/analysis/mod.ts";
import { sampleAnalysis } from "../../../helpers/sample_analysis.ts";

// The types of these frames state columns that options add or leave out, so that no table of columns makes them.
let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

const typesOf = (frame: DataFrame) =>
  Object.fromEntries(
    frame.getColumns().map(({ name, dtype }) => [name, /^\w+\((\w+)/.exec(String(dtype))![1]]),
  );
const DATE = "Date";
const COUNT = "Int32";
const NUMBER = "Float64";
const TEXT = "String";

describe("the columns that an editor offers are those of the frame", () => {
  test("of ICs, by lag too", () => {
    const { aligned } = analysis;
    const rest = { ic: NUMBER, n: COUNT, reason: TEXT };
    expect(typesOf(informationCoefficient(aligned)))
      .toEqual({ session: DATE, horizon: COUNT, ...rest });
    expect(typesOf(informationCoefficient(aligned, { lags: [1] })))
      .toEqual({ session: DATE, lag: COUNT, ...rest });
  });

  test("of aligned rows and their quantiles", () => {
    const own = {
      session: DATE,
      ticker: TEXT,
      score: NUMBER,
      return_1: NUMBER,
      return_5: NUMBER,
      return_21: NUMBER,
    };
    expect(typesOf(analysis.aligned.data)).toMatchObject(own);
    expect(typesOf(quantize(analysis.aligned).data)).toMatchObject({ ...own, quantile: COUNT });
  });

  test("of the mean returns of quantiles", () => {
    const quantized = quantize(analysis.aligned);
    expect(typesOf(meanReturnByQuantile(quantized))).toEqual({
      horizon: COUNT,
      quantile: COUNT,
      mean: NUMBER,
      standard_error: NUMBER,
      low: NUMBER,
      high: NUMBER,
      sessions: COUNT,
      names: NUMBER,
      mean_excess: NUMBER,
      excess_low: NUMBER,
      excess_high: NUMBER,
      reason: TEXT,
    });
    expect(typesOf(meanReturnByQuantile(quantized, { bySession: true }))).toEqual({
      session: DATE,
      horizon: COUNT,
      quantile: COUNT,
      mean: NUMBER,
      mean_excess: NUMBER,
      deviation: NUMBER,
      n: COUNT,
    });
  });

  test("of the spread, with the errors of alphalens before the reason", () => {
    const quantized = quantize(analysis.aligned);
    const own = ["session", "horizon", "spread", "n_top", "n_bottom"];
    expect(quantileSpread(quantized).data.columns).toEqual([...own, "reason"]);
    expect(quantileSpread(quantized, { compat: "alphalens" }).data.columns)
      .toEqual([...own, "standard_error", "reason"]);
  });
});
