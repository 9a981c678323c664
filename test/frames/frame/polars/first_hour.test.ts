import pl from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import "../../../../src/frames/frame/polars/refuse_operators.ts";
import { demo } from "../../../../src/app/demo/demo.ts";
import type { FactorApi } from "../../../../src/client/factor_api.ts";

// deno-lint-ignore no-explicit-any -- what a user types without types
type Loose = any;

let api: FactorApi;
let scores: Loose;
beforeAll(async () => {
  api = await demo({ tickers: 12, years: 0.1, hours: 30 });
  scores = await api.scores("ecpnd");
});
afterAll(() => api.close());

describe("what a user of pandas types", () => {
  test.each<[string, (frame: Loose) => unknown, string]>([
    ["length", (frame) => frame.length, "write frame.height"],
    ["iloc", (frame) => frame.iloc[0], "write frame.row(0)"],
    ["loc", (frame) => frame.loc["A"], "frame.filter("],
    ["index", (frame) => frame.index, "frames have no index"],
    ["info", (frame) => frame.info(), "write frame.schema"],
    ["groupby", (frame) => frame.groupby("ticker"), "write frame.groupBy(...)"],
    ["merge", (frame) => frame.merge(frame), 'left.join(right, { on: ["ticker"]'],
    ["sort_values", (frame) => frame.sort_values("x"), "descending: true"],
    ["to_csv", (frame) => frame.to_csv("x.csv"), 'write frame.writeCSV("x.csv")'],
    ["fillna", (frame) => frame.fillna(0), "write frame.fillNull(...)"],
    ["nlargest", (frame) => frame.nlargest(5), ".head(5)"],
    ["query", (frame) => frame.query("x > 1"), "frame.filter("],
    ["with_columns", (frame) => frame.with_columns(1), "write frame.withColumns(...)"],
    ["write_csv", (frame) => frame.write_csv("x"), "write frame.writeCSV(...)"],
    ["drop_nulls", (frame) => frame.drop_nulls(), "write frame.dropNulls(...)"],
    ["plot", (frame) => frame.plot(), "plot(frame, …) of scoreframe/chart"],
    ["corr", (frame) => frame.corr(), "pl.pearsonCorr"],
    ["a column's std", (frame) => frame.getColumn("ecpnd_score").std(), ".std())"],
    ["a column's astype", (frame) => frame.getColumn("ecpnd_score").astype("str"), "column.cast("],
    ["a lazy height", (frame) => frame.lazy().height, "(await frame.collect())"],
    ["a lazy row", (frame) => frame.lazy().rows(), "(await frame.collect())"],
    ["between", () => (pl.col("x") as Loose).between(0, 1), 'pl.col("x").gtEq(0.1)'],
    ["is_null", () => (pl.col("x") as Loose).is_null(), "expression.isNull(...)"],
    ["a function", (frame) => frame.filter(() => true), 'frame.filter(pl.col("x").gt(0.5))'],
    ["ascending", (frame) => frame.sort("ticker", { ascending: false }), "descending: true"],
    ["head of a text", (frame) => frame.head("5"), "expected head(5)"],
    ["a missing folder", (frame) => frame.writeCSV("missing/x.csv"), 'Deno.mkdir("missing"'],
    ["a missing folder", (frame) => frame.writeParquet("no/such/x"), 'Deno.mkdir("no/such"'],
  ])("%s is refused with the call that works", (_name, typed, advice) => {
    expect(() => typed(scores)).toThrow(/^Cannot /);
    expect(() => typed(scores)).toThrow(advice);
  });

  test("describes the numbers of a frame with dates and texts", () => {
    expect(scores.describe().columns).toEqual(["describe", "ecpnd_score"]);
    expect(() => scores.select("ticker").describe()).toThrow("expected a column of numbers");
  });

  test("gives a value of a date, an instant and a category", () => {
    const named = scores.withColumns(pl.col("ticker").cast(pl.Categorical).alias("category"));
    expect(named.getColumn("last_checked_at").get(0)).toEqual(new Date("2026-11-20T15:00:00Z"));
    expect(named.getColumn("prices_through")[0]).toBeInstanceOf(Date);
    expect(named.getColumn("category").get(1)).toBe(scores.row(1)[0]);
  });

  test("sorts and joins by the forms that other verbs take", () => {
    const sorted = scores.sort("ecpnd_score", { descending: true }).getColumn("ecpnd_score");
    const expected = scores.sort({ by: "ecpnd_score", descending: true }).getColumn("ecpnd_score");
    expect(sorted.toArray()).toEqual(expected.toArray());
    expect(scores.join(scores.select("ticker"), "ticker").height).toBe(12);
  });

  test("fills numbers, and leaves dates and categories as they are", () => {
    const frame: Loose = pl.DataFrame([
      pl.Series("x", [1, null], pl.Float64),
      pl.Series("day", [new Date("2026-11-20"), null], pl.Date),
      pl.Series("name", ["a", null], pl.Utf8).cast(pl.Categorical),
    ]);
    expect(frame.fillNull(0).rows()).toEqual([[1, new Date("2026-11-20"), "a"], [0, null, null]]);
    expect(frame.fillNull("forward").getColumn("x").toArray()).toEqual([1, 1]);
  });

  test("reads columns of such names as columns", () => {
    const frame: Loose = pl.DataFrame({ length: [1], index: [2], info: ["x"] });
    expect([frame.length[0], frame.index[0], frame.info[0]]).toEqual([1, 2, "x"]);
    expect(frame.select("index").columns).toEqual(["index"]);
  });

  test.each([
    ["score", 'call scores("ecpnd")'],
    ["get", "the verbs are factors(), scores()"],
    ["prices", "readPrices() reads closes of your own"],
    ["snapshot", "{ snapshotId }"],
  ])("api.%s is refused with the verb to call", (name, advice) => {
    expect(() => (api as Loose)[name]()).toThrow(advice);
  });
});
