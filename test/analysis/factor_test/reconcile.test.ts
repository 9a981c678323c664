import pl, { type DataFrame } from "nodejs-polars";
import { hindsightBias } from "../../../src/analysis/factor_test/reconcile.ts";
import { describe, expect, test } from "vitest";
import {
  align,
  analyzeFactor,
  forwardReturns,
  judgement,
  reconcile,
} from "../../../src/analysis/mod.ts";
import { tearSheet } from "../../../src/report/sheet/mod.ts";
import { smallMarket } from "../_frames.ts";

const DAYS = ["2026-01-05", "2026-01-06", "2026-01-07", "2026-01-08"];

interface Cell {
  readonly date: string;
  readonly ticker: string;
  readonly score: number | null;
}

function frameOf(cells: readonly Cell[]): DataFrame {
  return pl.DataFrame([
    pl.Series("date", cells.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", cells.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", cells.map(({ score }) => score), pl.Float64),
  ]);
}

const base = (i: number, j: number) => ((7 * i + 3 * j) % 11) / 10;
const release = frameOf(
  DAYS.flatMap((date, i) =>
    ["A", "B", "C", "D", "E"].map((ticker, j) => ({
      date,
      ticker,
      score: ticker === "E" && i === 1 ? null : base(i, j),
    }))
  ).filter(({ date, ticker }) => !(ticker === "D" && date === DAYS[2])),
);
const known = DAYS.slice(0, 3).flatMap((date, i) =>
  ["A", "B", "C", "D", "F"].map((ticker, j) => ({
    date,
    ticker,
    score: base(i, j) + ((i + j) % 3 === 0 ? 0.05 * (j - 1) : 0),
  }))
);

describe("a release and a panel", () => {
  // pandas 2: release.merge(panel, on=["date", "ticker"], how="outer", indicator=True) over the dates of both.
  const pandas = [
    ...["moved", "equal", "equal", "moved", "only_release", "only_panel"],
    ...["equal", "equal", "moved", "equal", "only_release", "only_panel"],
    ...["equal", "equal", "equal", "only_panel", "only_release", "only_panel"],
  ];

  test("are compared row by row, as an outer merge of pandas does", () => {
    const found = reconcile(release, frameOf(known));
    expect(found.tables.rows.getColumn("change").toArray()).toEqual(pandas);
    expect(found.table.rows()).toEqual([
      ["equal", 8, 8 / 18],
      ["moved", 3, 3 / 18],
      ["null_in_release", 0, 0],
      ["null_in_panel", 0, 0],
      ["only_release", 3, 3 / 18],
      ["only_panel", 4, 4 / 18],
    ]);
    expect(found.text).toBe(
      "Of 18 rows in 3 common sessions, 44.4% are equal, 16.7% moved (by 0.067 on average, 0.100 at most), 0.0% are " +
        "null in the release alone, 0.0% in the panel alone, 16.7% are missing in the panel, and 22.2% in the release.",
    );
    expect(found.tables.ics).toBe(null);
  });

  test("meet in the first session that closes at or after a view, whose last view counts", () => {
    // 21:00 UTC is the close in January; a view after it belongs to the next session.
    const at = (cells: readonly Cell[], time: string) =>
      frameOf(cells).withColumns(
        pl.Series("at", cells.map(({ date }) => `${date}T${time}`), pl.Utf8),
      ).drop("date");
    const early = known.map((cell) => ({ ...cell, score: 9 }));
    const views = pl.concat([at(known, "21:00:00Z"), at(early, "15:00:00Z")]);
    expect(reconcile(release, views).tables.rows.getColumn("change").toArray()).toEqual(pandas);
    const late = reconcile(release, at(known.slice(0, 5), "21:00:01Z"));
    expect(late.tables.rows.getColumn("session").toArray()[0]).toEqual(new Date("2026-01-06"));
  });

  test("tell a null of one side from a null of both", () => {
    const one = (score: number | null) => frameOf([{ date: DAYS[0]!, ticker: "A", score }]);
    const change = (a: number | null, b: number | null) =>
      reconcile(one(a), one(b)).tables.rows.getColumn("change").get(0);
    expect([change(null, null), change(null, 0), change(0, null), change(0, 0)]).toEqual([
      ...["equal", "null_in_release", "null_in_panel", "equal"],
    ]);
  });

  test("have the ICs and the paired test of hindsightBias, and say the difference", () => {
    const { scores, prices } = smallMarket(3);
    const returns = forwardReturns(prices, { periods: [1] });
    // A reconstruction that has seen the return: the score plus what follows.
    const { data } = align(scores, returns);
    const seen = data.select("session", "ticker", "score", "return_1")
      .withColumns(pl.col("return_1").mul(20).add(pl.col("score")).alias("score"))
      .drop("return_1").rename({ session: "date" });
    const shifted = data.select("session", "ticker", "score").rename({ session: "date" });
    const found = reconcile(seen, shifted, { prices, periods: 1 });
    const [a, b] = [seen, shifted].map((frame) => align(frame, returns));
    expect(found.tables.ics!.toRecords()).toEqual(hindsightBias(a!, b!).toRecords());
    expect(found.text).toMatch(/common sessions; .* minus panel, is /);
    expect(found.text).toMatch(/\nAt 1 session the mean IC is .* \(95% CI \S+ to \S+\)\.$/);
  });

  test("stand in the judgement and on the sheet of the release", async () => {
    const { scores, prices } = smallMarket(3);
    const { data } = align(scores, forwardReturns(prices, { periods: [1] }));
    const rebuilt = data.select("session", "ticker", "score").rename({ session: "date" });
    const then = rebuilt.withColumns(
      pl.when(pl.col("ticker").eq(pl.lit("A"))).then(pl.lit(0.5)).otherwise(pl.col("score"))
        .alias("score"),
    );
    const reconciled = reconcile(rebuilt, then, { prices, periods: 1 });
    const analysis = await analyzeFactor(rebuilt, prices, {
      ...{ periods: [1], lags: [1], progress: false },
    });
    const { text, facts } = judgement(analysis, { reconciled });
    const said = text.replace(/\s+/g, " ");
    const [rows, ics] = reconciled.text.split("\n");
    expect(said).toContain(rows!);
    expect(said).toContain(ics!);
    const own = facts.filter(pl.col("source").eq(pl.lit("reconciled.tables.ics"))).toRecords();
    const [row] = reconciled.tables.ics!.toRecords();
    expect(own).toEqual([{
      ...{ topic: "Robustness", statement: ics, source: "reconciled.tables.ics" },
      ...{ value: row!["mean"], low: row!["low"], high: row!["high"], n: row!["sessions"] },
    }]);
    expect(judgement(analysis).text).not.toContain("known at the time");
    const sheet = tearSheet(analysis, { parts: ["judgement"], reconciled });
    expect(sheet.text.replace(/\s+/g, " ")).toContain(ics!);
    expect(() => judgement(analysis, { reconciled: reconciled.tables.ics as never })).toThrow(
      /reconcile\(\), got a DataFrame/,
    );
    expect(() => judgement(analysis, { reconcile: reconciled } as never)).toThrow("reconciled");
  });

  test("without a common session, a score or an option are refused", () => {
    const other = frameOf([{ date: "2026-03-02", ticker: "A", score: 1 }]);
    expect(() => reconcile(release, other)).toThrow(RangeError);
    expect(() => reconcile(release, other.drop("score"))).toThrow(TypeError);
    expect(() => reconcile(release, release, { price: 1 } as never)).toThrow("price");
  });
});
