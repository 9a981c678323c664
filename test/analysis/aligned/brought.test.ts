import { judged } from "../../helpers/judged.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { align, analyzeFactor, forwardReturns } from "../../../src/analysis/mod.ts";

const SESSIONS = ["2026-10-28", "2026-10-29", "2026-10-30"];
const TICKERS = ["A", "B", "C"];
const cells = SESSIONS.flatMap((date, d) =>
  TICKERS.map((ticker, t) => ({ date, ticker, close: 10 + d + t, score: (d + t) / 10 }))
);
const column = <Name extends keyof typeof cells[number]>(name: Name) =>
  cells.map((cell) => cell[name]);
const prices = pl.DataFrame({
  date: column("date"),
  ticker: column("ticker"),
  close: column("close"),
});
const scores = pl.DataFrame({
  date: column("date"),
  ticker: column("ticker"),
  score: column("score"),
});
const returns = forwardReturns(prices, { periods: [1] });
const groupsOf = (ticker: string[], group: (string | number | null)[], more = {}) =>
  pl.DataFrame({ ticker, group, ...more });
const linesOf = (groups: DataFrame) =>
  align(scores, returns, { groups }).loss.table.toRecords()
    .map((line) => [line["reason"], line["horizon"], line["rows"]]);

test("scores of the service that do not say where they come from are said to be taken as given", async () => {
  const named = scores.rename({ score: "ecpnd_score" });
  const options = { periods: [1], progress: false } as const;
  const textOf = async (frame: DataFrame) => judged(await analyzeFactor(frame, prices, options));
  const sentence =
    "The scores have neither snapshot_id nor download_sha256 and are assumed to be of one vintage";
  expect(await textOf(named)).toContain(sentence);
  expect(await textOf(scores)).not.toContain(sentence);
  expect(await textOf(named.withColumns(pl.lit("aaa").alias("download_sha256"))))
    .not.toContain(sentence);
});

describe("groups", () => {
  // Dates of the 28th enter on the 29th, those of the 29th on the 30th, whose window ends after the prices.
  test("a name of no group is counted, and every row is in one line", () => {
    expect(linesOf(groupsOf(["A", "B"], ["tech", "energy"]))).toEqual([
      ["beyond_prices", 1, 6],
      ["no_group", 1, 1],
      ["used", 1, 2],
    ]);
    expect(linesOf(groupsOf(TICKERS, ["tech", "energy", null]))).toEqual([
      ["beyond_prices", 1, 6],
      ["no_group", 1, 1],
      ["used", 1, 2],
    ]);
    expect(linesOf(groupsOf(TICKERS, ["tech", "energy", "energy"]))).toEqual([
      ["beyond_prices", 1, 6],
      ["used", 1, 3],
    ]);
  });

  test("the loss report and the judgement say it", async () => {
    const groups = groupsOf(["A"], ["tech"]);
    expect(String(align(scores, returns, { groups }).loss)).toContain(
      "at 1 session, 2 have no group",
    );
    const options = { groups, periods: [1], progress: false } as const;
    expect(judged(await analyzeFactor(scores, prices, options))).toContain("2 have no group");
  });

  test("their dates are dates, texts or midnights; null is open", () => {
    const dated = (from: unknown[], type: pl.DataType) =>
      pl.DataFrame([
        pl.Series("ticker", TICKERS, pl.Utf8),
        pl.Series("group", ["x", "y", "z"], pl.Utf8),
        pl.Series("from", from, type),
      ]);
    const days = [new Date("2026-10-29"), null, new Date("2026-10-30")];
    const expected = [["beyond_prices", 1, 6], ["no_group", 1, 1], ["used", 1, 2]];
    expect(linesOf(dated(days, pl.Date))).toEqual(expected);
    expect(linesOf(dated(days, pl.Datetime("us")))).toEqual(expected);
    expect(linesOf(dated(["2026-10-29", null, "2026-10-30"], pl.Utf8))).toEqual(expected);
    expect(() => linesOf(dated(["29.10.2026", null, null], pl.Utf8))).toThrow(
      'column from, got "29.10.2026" in row 0',
    );
  });

  test("codes of industries are taken as they are", () => {
    const { names } = align(scores, returns, { groups: groupsOf(TICKERS, [45, 10, 4510]) })
      .dense.groups!;
    expect(names.toSorted()).toEqual(["10", "45", "4510"]);
  });

  test.each<[string, DataFrame, string]>([
    ["no row", groupsOf(["A"], ["x"]).filter(pl.col("ticker").eq(pl.lit("Z"))), "got none"],
    [
      "tickers of others",
      groupsOf(["AAPL", "MSFT"], ["x", "y"]),
      "expected groups of tickers that the scores have, got none; compare both: the groups have AAPL, MSFT, the scores A, B, C",
    ],
    [
      "nothing but nulls",
      pl.DataFrame([
        pl.Series("ticker", TICKERS, pl.Utf8),
        pl.Series("group", [null, null, null], pl.Utf8),
      ]),
      "expected groups of tickers that the scores have",
    ],
    [
      "another name of the column",
      pl.DataFrame({ ticker: ["A"], sector: ["x"] }),
      'got ticker, sector; rename it: groups.rename({ sector: "group" })',
    ],
    [
      "an end before its beginning",
      groupsOf(["A"], ["x"], { from: ["2026-10-30"], to: ["2026-10-29"] }),
      "got 2026-10-30 to 2026-10-29 in row 0",
    ],
    [
      "two groups at once",
      groupsOf(["A", "A"], ["x", "y"]),
      "expected one group a ticker and session, got x and y for A",
    ],
    [
      "a row without a ticker",
      pl.DataFrame([
        pl.Series("ticker", ["A", null], pl.Utf8),
        pl.Series("group", ["x", "y"], pl.Utf8),
      ]),
      "expected a ticker in every row, got row 1 without",
    ],
  ])("of %s are refused", (_what, groups, message) => {
    expect(() => align(scores, returns, { groups })).toThrow(message);
  });

  describe("with another column of dates are read as the message says:", () => {
    const dated = (name: string, more = {}) =>
      groupsOf(["A", "A", "B", "C"], ["x", "y", "x", "x"], {
        [name]: ["2026-10-01", "2026-10-30", "2026-10-01", "2026-10-01"],
        ...more,
      });
    const partsOf = (groups: DataFrame) => {
      const { names, codes } = align(scores, returns, { groups }).dense.groups!;
      return [...codes].map((code) => names[code]).join("");
    };
    // The calls of an error, run on the groups until none is left.
    const followed = (groups: DataFrame): DataFrame => {
      try {
        partsOf(groups);
        return groups;
      } catch (error) {
        const [, call] = /; (groups\.(?:rename|drop)\(.*?\))/.exec((error as Error).message)!;
        return followed(new Function("groups", `return ${call}`)(groups) as DataFrame);
      }
    };

    test("each row holds until the next one of its ticker", () => {
      for (const name of ["date", "as_of", "effective_date"]) {
        const groups = followed(dated(name));
        expect(groups.columns).toEqual(["ticker", "group", "from"]);
        expect(partsOf(groups)).toBe("xxxxxxyxx");
      }
    });

    test("an end is an end, and a date beside both ends is dropped", () => {
      const until = ["2026-10-29", "2026-10-31", "2026-10-31", "2026-10-31"];
      for (const more of [{ until }, { valid_to: until }, { end_date: until }]) {
        expect(partsOf(followed(dated("start", more)))).toBe("xxxxxxyxx");
      }
      const both = followed(dated("from", { to: until, date: until }));
      expect(both.columns).toEqual(["ticker", "group", "from", "to"]);
    });

    test("two groups that begin on one day are two", () => {
      const twice = groupsOf(["A", "A"], ["x", "y"], { from: ["2026-10-01", "2026-10-01"] });
      expect(() => partsOf(twice)).toThrow("got x and y for A");
    });
  });
});
