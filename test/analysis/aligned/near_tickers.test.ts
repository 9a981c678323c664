import { describe, expect, test } from "vitest";
import pl, { type DataFrame } from "nodejs-polars";
import { align } from "../../../src/analysis/aligned/align.ts";
import { forwardReturns } from "../../../src/analysis/aligned/prices/forward_returns.ts";

const DATES = ["2026-10-01", "2026-10-02", "2026-10-05"];
const frameOf = (tickers: readonly string[], name: string, dates = DATES) => {
  const rows = dates.flatMap((date, d) =>
    tickers.map((ticker, t) => ({ date, ticker, value: 10 + d + t / 7 }))
  );
  return pl.DataFrame({
    date: rows.map(({ date }) => date),
    ticker: rows.map(({ ticker }) => ticker),
    [name]: rows.map(({ value }) => value),
  });
};
const alignOf = (scored: readonly string[], priced: readonly string[]) =>
  align(frameOf(scored, "score"), forwardReturns(frameOf(priced, "close"), { periods: [1] }));

describe("tickers that the prices spell in another way are named with the rule that joins them", () => {
  test.each([
    [
      ["BRK.B", "AZQ"],
      ["BRK-B", "AZQ"],
      "1 ticker of the scores differs from one of the prices only by the sign in it (BRK.B: BRK-B)",
    ],
    [
      ["AZQ", "BQR", "X"],
      ["AZQ.US", "BQR.US", "X"],
      "2 tickers of the scores differ from one of the prices only by a suffix (AZQ: AZQ.US, BQR: BQR.US)",
    ],
    [["AZQ", "BQR"], ["azq", "BQR"], "only by case (AZQ: azq)"],
  ])("%s and %s", (scored, priced, text) => {
    const { loss } = alignOf(scored, priced);
    expect(String(loss)).toContain(text);
    expect(String(loss)).toContain("tickers: pl.DataFrame({ ticker: [");
  });

  test("and where none is the same, in the error", () => {
    expect(() => alignOf(["AZQ"], ["AZQ.US"])).toThrow("only by a suffix (AZQ: AZQ.US)");
    expect(String(alignOf(["AZQ", "ZZZ"], ["AZQ", "BQR"]).loss)).not.toContain("only by");
  });
});

describe("so are those that the groups spell in another way, and the call that maps them is right", () => {
  const TICKERS = ["BF.A", "BRK.B", "AZQ"];
  const scores = frameOf(TICKERS, "score");
  const returns = forwardReturns(frameOf(TICKERS, "close"), { periods: [1] });
  const textOf = (groups: DataFrame) => {
    try {
      return String(align(scores, returns, { groups }).loss);
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each([
    ["another sign", ["BF-A", "BRK/B", "AZQ"]],
    ["case", ["bf.a", "brk.b", "AZQ"]],
    ["a suffix of all", ["BF.A US", "BRK.B US", "AZQ US"]],
  ])("%s", (_, ticker) => {
    const groups = pl.DataFrame({ ticker, group: ["x", "y", "y"] });
    const [call] = /groups\.withColumns\(.*\)\)/.exec(textOf(groups))!;
    const mapped = new Function("groups", "pl", `return ${call}`)(groups, pl) as DataFrame;
    expect(mapped.getColumn("ticker").toArray()).toEqual(TICKERS);
    expect(textOf(mapped)).not.toContain("no group");
  });

  test("but a share class that the scores have, too, is no spelling of another", () => {
    const groups = pl.DataFrame({ ticker: ["BRK.B", "BRK.A"], group: ["x", "y"] });
    const both = frameOf(["BRK.A", "BRK.C", "BRK.B"], "score");
    const { loss } = align(both, returns, { groups });
    expect([loss.nearGroups, loss.nearTickers]).toEqual([null, null]);
  });
});

test("scores of calendar month ends count at the session before a weekend", () => {
  const dates = [
    "2026-01-30",
    "2026-02-02",
    "2026-02-27",
    "2026-03-02",
    "2026-03-31",
    "2026-04-01",
  ];
  const prices = forwardReturns(frameOf(["AZQ"], "close", dates), { periods: [1], maxMissing: 1 });
  const scores = frameOf(["AZQ"], "score", ["2026-01-31", "2026-02-28", "2026-03-31"]);
  const days = align(scores, prices).data.getColumn("session").toArray() as unknown as Date[];
  expect(days.map((day) => day.toISOString().slice(0, 10))).toEqual([
    "2026-02-02",
    "2026-03-02",
    "2026-04-01",
  ]);
});

test("blanks and texts for a missing value are no group, and names are trimmed", () => {
  const groups = pl.DataFrame({
    ticker: ["AZQ", "BQR", "CQS", "DRT"],
    group: ["", "Tech", "Tech ", "N/A"],
  });
  const returns = forwardReturns(frameOf(["AZQ", "BQR", "CQS", "DRT"], "close"), { periods: [1] });
  const { dense, loss } = align(frameOf(["AZQ", "BQR", "CQS", "DRT"], "score"), returns, {
    groups,
  });
  expect(dense.groups!.names).toEqual(["Tech"]);
  expect(loss.table.filter(pl.col("reason").eq(pl.lit("no_group"))).height).toBeGreaterThan(0);
});
