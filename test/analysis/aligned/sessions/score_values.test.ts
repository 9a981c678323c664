import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { align, analyzeFactor, forwardReturns, judgement } from "../../../../src/analysis/mod.ts";
import { sentenceOf } from "../../../mistakes/_mistakes.ts";
import { makeMarket } from "../../../helpers/market.ts";

const { scores, prices } = makeMarket(60, (_, number) => number);
const returns = forwardReturns(prices, { periods: [1] });
const shiftedBy = (days: number) =>
  scores.withColumns(pl.col("date").cast(pl.Int32).add(days).cast(pl.Date));
const fixedFrom = (session: number) => {
  const days = [...new Set(scores.getColumn("date").toArray().map(Number))];
  const [day, first] = [days[session]!, days[0]!].map((ms) => pl.lit(new Date(ms)).cast(pl.Date));
  const own = scores.filter(pl.col("date").eq(day!));
  const last = own.select("ticker", pl.col("score").alias("last"));
  return scores.filter(pl.col("date").gtEq(first!)).join(last, { on: "ticker", how: "left" })
    .withColumns(
      pl.when(pl.col("date").gt(day!)).then(pl.col("last")).otherwise(pl.col("score")).alias(
        "score",
      ),
    ).drop("last");
};

describe("scores", () => {
  test.each([["later", 1], ["earlier", -1]])(
    "dated a day %s than the sessions are refused with what moves them",
    (word, days) => {
      let message = "";
      try {
        align(shiftedBy(days), returns);
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain(`got dates a day ${word} than those (2010-01-0`);
      const call = /use (scores\.withColumns\(.*\)) to move/.exec(message)![1]!;
      const moved = new Function("scores", "pl", `return ${call}`)(shiftedBy(days), pl);
      expect(align(moved, returns).data.frameEqual(align(scores, returns).data)).toBe(true);
    },
  );

  test("of each Saturday are no shift", () => {
    const isFriday = pl.col("date").cast(pl.Int32).modulo(7).eq(pl.lit(1));
    const weekly = scores.filter(isFriday)
      .withColumns(pl.col("date").cast(pl.Int32).add(1).cast(pl.Date));
    expect(() => align(weekly, returns)).toThrow(/dates .* sessions/);
  });

  test("that never change after some session cause a notice, and a sentence of the judgement", async () => {
    const text = "No score changes after 2010-02-17: 30 sessions repeat the scores of that one";
    const said = (from: typeof scores) => sentenceOf(() => void align(from, returns));
    expect(await said(fixedFrom(29))).toContain(text);
    const analysis = await analyzeFactor(fixedFrom(29), prices, { progress: false });
    expect(judgement(analysis).text.replaceAll(/\s+/g, " ")).toContain(text);
    await expect(said(scores)).rejects.toThrow("nothing was said");
    await expect(said(fixedFrom(0))).rejects.toThrow("nothing was said");
  });

  test("with a blank ticker are refused by the row", () => {
    const blank = pl.when(pl.col("ticker").eq(pl.lit("T3"))).then(pl.lit(" "))
      .otherwise(pl.col("ticker")).alias("ticker");
    expect(() => align(scores.withColumns(blank), returns)).toThrow('got " " in row 3');
  });
});
