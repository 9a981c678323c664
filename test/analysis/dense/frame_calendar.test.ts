import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  combine,
  doubleSort,
  famaMacBeth,
  forwardReturns,
  informationCoefficient,
  informationSummary,
  quantileSpread,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { messageOf, sentenceOf } from "../../mistakes/_mistakes.ts";
import { randomOf } from "../_frames.ts";

const DATES = listSessionDays(epochDayOf(2020, 1, 2), epochDayOf(2026, 1, 2)).slice(0, 1300)
  .map(fromEpochDay);
const TICKERS = Array.from({ length: 12 }, (_, i) => `T${String(i).padStart(2, "0")}`);
const random = randomOf(21);
const closes: number[][] = [];
for (const [d] of DATES.entries()) {
  closes.push(TICKERS.map((_, t) => (closes[d - 1]?.[t] ?? 100) * (1 + 0.02 * (random() - 0.5))));
}
const long = (name: string, of: (d: number, t: number) => number, every = 1): DataFrame => {
  const places = [...DATES.keys()].filter((d) => d % every === 0);
  return pl.DataFrame({
    date: places.flatMap((d) => TICKERS.map(() => DATES[d]!)),
    ticker: places.flatMap(() => TICKERS),
    [name]: places.flatMap((d) => TICKERS.map((_, t) => of(d, t))),
  });
};
const prices = long("close", (d, t) => closes[d]![t]!);
const returns = forwardReturns(prices, { periods: [1, 21] });
const monthly = long("score", () => random(), 21)
  .withColumns(pl.Series("size", Array.from({ length: 62 * 12 }, () => random()), pl.Float64));
const aligned = align(monthly, returns, { columns: ["size"], entry: "same" });
/** The rows of the alignment, with a column that is joined to them. */
const joined = align(monthly.drop("size"), returns, { entry: "same" }).data.join(
  monthly.select(pl.col("date").cast(pl.Date).alias("session"), "ticker", "size"),
  { on: ["session", "ticker"], how: "left" },
);
const periods = (frame: DataFrame) => frame.filter(pl.col("horizon").eq(pl.lit(21)));

describe.each([
  ["that were joined to the rows", joined],
  ["of rows that kept no number of their session", joined.drop("session_number")],
])("sixty monthly signals at 21 sessions, with columns %s,", (_, rows) => {
  const on = ["score", "size"];

  test("have the tests of famaMacBeth() and doubleSort() that align() has", () => {
    const own = famaMacBeth(aligned, { on }).toRecords();
    expect(famaMacBeth(rows, { on }).toRecords()).toEqual(own);
    expect(own.filter(({ horizon }) => horizon === 21).map(({ reason }) => reason))
      .toEqual([null, null, null]);
    const sort = { first: "score", second: "size", quantiles: [2, 2] as [number, number] };
    expect(doubleSort(rows, sort).spreads.toRecords())
      .toEqual(doubleSort(aligned, sort).spreads.toRecords());
  });

  test("have ICs, spreads and autocorrelations on the same sessions, without overlap", () => {
    const ic = informationCoefficient(rows);
    expect(ic.toRecords()).toEqual(informationCoefficient(aligned).toRecords());
    const [, summary] = informationSummary(ic, { sessions: pl.DataFrame({ date: DATES }) })
      .table.toRecords();
    expect(summary).toMatchObject({ horizon: 21, overlap: 1, reason: null });
    expect(quantileSpread(quantize(aligned)).data.toRecords())
      .toEqual(quantileSpread(quantize(aligned).data.drop("session_number")).data.toRecords());
    expect(rankAutocorrelation(rows).toRecords()).toEqual(rankAutocorrelation(aligned).toRecords());
  });

  test("have the mean of the slopes of every month, as least squares gives them", () => {
    const [, slope] = periods(famaMacBeth(rows)).toRecords();
    const bySession = periods(famaMacBeth(rows, { bySession: true }))
      .filter(pl.col("term").eq(pl.lit("score")).and(pl.col("value").isNotNull()));
    const values = bySession.getColumn("value").toArray() as number[];
    // Of 62 months the last ends after the prices.
    expect(values).toHaveLength(61);
    expect(slope!.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / 61, 12);
  });
});

test("months of monthly prices are counted in months, whose windows overlap", () => {
  const months = [...Map.groupBy(DATES, (date) => date.slice(0, 7)).values()]
    .map((days) => DATES.indexOf(days.at(-1)!));
  const ends = prices.filter(pl.col("date").isIn(months.map((d) => DATES[d]!)));
  const own = align(
    ends.select("date", "ticker").withColumns(
      pl.Series("score", Array.from({ length: ends.height }, () => random()), pl.Float64),
    ),
    forwardReturns(ends, { periods: [3], frequency: "monthly" }),
    { entry: "same" },
  );
  const rows = own.data.drop("session_number");
  expect(famaMacBeth(rows).toRecords()).toEqual(famaMacBeth(own).toRecords());
  expect(famaMacBeth(own.data).toRecords()).toEqual(famaMacBeth(own).toRecords());
});

describe("a column that is carried with the scores", () => {
  const daily = long("score", () => random()).withColumns(
    pl.Series(
      "last",
      DATES.flatMap((_, d) =>
        TICKERS.map((_, t) => closes[d]![t]! / (closes[d - 1]?.[t] ?? NaN) - 1)
      ),
      pl.Float64,
    ),
  );
  const scores = daily.drop("last");
  const late = daily.select(pl.col("date").cast(pl.Date).alias("session"), "ticker", "last");

  test("belongs to the session of its row's score, a session after its date", () => {
    const { data } = align(daily, returns, { columns: ["last"] });
    const [first] = data.toRecords();
    expect(data.columns).toContain("last");
    expect(first!["session"]).toEqual(new Date(DATES[1]!));
    const row = data.filter(pl.col("ticker").eq(pl.lit("T03"))).toRecords()[5]!;
    expect((row as Record<string, unknown>)["last"]).toBe(closes[5]![3]! / closes[4]![3]! - 1);
  });

  test("is said to be known late where it is joined by the session of the row", async () => {
    const rows = align(scores, returns).data.join(late, { on: ["session", "ticker"], how: "left" });
    for (
      const call of [
        () => String(combine(rows, { on: ["score", "last"] }).height),
        () => String(famaMacBeth(rows, { on: ["last"] }).height),
        () =>
          String(
            combine(rows.withColumns(pl.col("last").mul(pl.lit(-1))), { on: ["last"] }).height,
          ),
      ]
    ) {
      expect(await sentenceOf(call)).toContain(
        "Column last is the return over the 1 session that end at the close of its row's session",
      );
    }
    const carried = align(daily, returns, { columns: ["last"] });
    expect(await sentenceOf(() => String(combine(carried, { on: ["score", "last"] }).height)))
      .toBe(String(carried.data.height));
    const same = align(daily, returns, { columns: ["last"], entry: "same" }).data;
    expect(await sentenceOf(() => String(combine(same, { on: ["last"] }).height)))
      .toBe(String(same.height));
  });

  test("is numeric, there, and named as no column of aligned rows is", async () => {
    expect(await messageOf(() => align(scores, returns, { columns: ["last"] }))).toContain("last");
    expect(await messageOf(() => align(daily, returns, { columns: ["ticker"] }))).toContain(
      "ticker",
    );
    expect(await messageOf(() => align(daily, returns, { score: "score", columns: ["score"] })))
      .toContain('got "score"; rename it');
    expect(await messageOf(() => famaMacBeth(align(scores, returns), { on: ["size"] })))
      .toContain("align(scores, returns, { columns })");
  });
});
